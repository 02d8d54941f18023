import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { ask, post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { openRelay, type Relay } from '../support/relay.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';

type Server = ServerProcess & { address: string };

let bench: ServerBench;
/** An installation, and five servers that found its database empty at the same time: tests may stop all but the first. */
let env: Record<string, string>;
let servers: Server[];
/** Before the last server's database. */
let relay: Relay;
/** Another installation, whose server has no Redis. */
let other: Record<string, string>;
let withoutRedis: Server;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  env = await bench.install();
  other = { ...(await bench.install()), REDIS_URL: 'redis://127.0.0.1:1' };
  relay = await openRelay(env['DATABASE_URL'] as string);
  const urls = [...Array<string>(4).fill(env['DATABASE_URL'] as string), relay.url];
  [withoutRedis, ...servers] = await Promise.all([
    bench.start(other),
    ...urls.map((url) => bench.start({ ...env, DATABASE_URL: url })),
  ]);
}, 30_000);

afterAll(async () => {
  await bench?.close();
  relay?.close();
});

/** Starts a server that is expected not to, and gives what it said. */
async function refused(env: Record<string, string | undefined>): Promise<string> {
  const server = bench.spawn(env);
  expect(await server.exit).toEqual({ code: 1, signal: null });
  return server.output();
}

async function query(
  { DATABASE_URL }: Record<string, string>,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a start', () => {
  test('lists every bad setting at once, and a missing secret as missing', async () => {
    const bad = {
      ...{ REDIS_URL: 'http://x', GJM_SECRET: 'short', GJM_PORT: '70000' },
      ...{ GJM_LEASE_MS: '1000', GJM_HEARTBEAT_MS: '900' },
    };
    const [said, without] = await Promise.all([refused(bad), refused({ ...env, GJM_SECRET: undefined })]);
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'GJM_SECRET', 'GJM_PORT', 'GJM_HEARTBEAT_MS'])
      expect(said).toContain(name);
    expect(said).not.toContain('    at ');
    expect(without).toMatch(/GJM_SECRET: is required/);
  });

  test('of five servers at once on an empty database leaves one installation and five servers that work', async () => {
    for (const { address } of servers) expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await query(env, 'SELECT count(*)::int AS rows FROM installation')).toEqual([{ rows: 1 }]);
    const names = await query(env, 'SELECT name FROM migrations');
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
  });

  test('is not held up by a migrating server that was killed', async () => {
    const fresh = await bench.install();
    const first = bench.spawn(fresh);
    const migrating = `SELECT FROM pg_stat_activity WHERE application_name = 'gjm-migrate' AND datname = current_database()`;
    await until('one migrates', async () => (await query(fresh, migrating)).length > 0, 10_000);
    first.kill('SIGKILL');
    expect(await (await bench.start(fresh)).url).not.toBeNull();
  });

  test('with another database’s artifact folder is refused, and so is the wrong folder', async () => {
    const elsewhere = join(env['GJM_DATA_DIR'] as string, 'elsewhere');
    const [foreign, wrong] = await Promise.all([
      refused({ ...env, GJM_DATA_DIR: other['GJM_DATA_DIR'] }),
      refused({ ...env, GJM_ARTIFACT_DIR: elsewhere }),
    ]);
    expect(foreign).toMatch(/files of another database/);
    expect(wrong).toMatch(/not the folder/);
  });

  test('on a busy port says so in one sentence', async () => {
    const { port } = new URL(servers[0]!.address);
    const said = await refused({ ...env, GJM_PORT: port });
    expect(said.trim().split('\n').at(-1)).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use`));
  });

  test('with a database of a later release is refused', async () => {
    await query(env, `INSERT INTO migrations (timestamp, name) VALUES (9, 'FromTheFuture9')`);
    expect(await refused(env)).toMatch(/later release \(FromTheFuture9\)/);
    await query(env, `DELETE FROM migrations WHERE name = 'FromTheFuture9'`);
  });
});

describe('a stop', () => {
  /** One of the servers, in the middle of receiving an upload. */
  async function startReceiving(server: Server) {
    const uploads = join(env['GJM_DATA_DIR'] as string, 'artifacts', 'uploads');
    const parts = async () => {
      const names = await readdir(uploads, { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith('.part'));
    };
    const before = await parts();
    const { token } = await signUp(server.address);
    const create = `mutation { createUpload(input: { name: "x" }) { __typename ... on CreateUploadSuccess { upload { url } } } }`;
    const { upload } = await ask<{ upload: { url: string } }>(server.address, create, { token });
    const sending = request(server.address + (upload?.url ?? ''), { method: 'PUT' });
    const answered = new Promise<number | undefined>((resolve) => {
      sending
        .on('response', (response) => resolve(response.statusCode))
        .on('error', () => resolve(undefined));
    });
    sending.write('hello ');
    await until('bytes come', async () => (await parts()).some((name) => !before.includes(name)), 10_000);
    return { sending, answered };
  }

  const isShut = (address: string) => () =>
    fetch(`${address}/livez`).then(
      () => false,
      () => true,
    );

  test('lets a request under way end, and exits 0', async () => {
    const server = servers[1]!;
    const { sending, answered } = await startReceiving(server);
    server.kill('SIGTERM');
    server.kill('SIGINT'); // the same Ctrl-C, by another way
    await until('it accepts nothing', isShut(server.address), 10_000);
    sending.end('world');
    expect(await answered).toBe(201);
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test('cuts what does not end', async () => {
    const server = servers[2]!;
    const { answered } = await startReceiving(server);
    server.kill('SIGTERM');
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(await answered).toBeUndefined();
  });

  test('is forced by a second signal', async () => {
    const server = servers[3]!;
    await startReceiving(server);
    server.kill('SIGTERM');
    await until('it accepts nothing', isShut(server.address), 10_000);
    // What comes within 500 ms counts as the same signal, so that time itself is what must pass here.
    await new Promise((resolve) => setTimeout(resolve, 600));
    server.kill('SIGTERM');
    expect(await server.exit).toEqual({ code: 1, signal: null });
  });
});

describe('health', () => {
  test('is the same by GraphQL and by HTTP', async () => {
    const { address } = servers[0]!;
    const body = await (await fetch(`${address}/health`)).json();
    const { data } = await post(address, '{ health { ok version checks { name ok message } } }');
    expect(data?.['health']).toEqual(body);
    expect(await (await fetch(`${address}/livez`)).json()).toEqual({ ok: true });
  });

  test('without Redis a server starts, is degraded, and people sign in', async () => {
    const answer = await fetch(`${withoutRedis.address}/readyz`);
    const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean }[] };
    expect(answer.status).toBe(200);
    expect(checks.find(({ name }) => name === 'redis')?.ok).toBe(false);
    expect((await signUp(withoutRedis.address)).role).toBe('ADMIN');
  });

  test('without Postgres it is not ready, says UNAVAILABLE, and comes back by itself', async () => {
    const { address } = servers[4]!;
    const { token } = await signUp(address);
    const ask = () => post(address, `{ jobs(first: 1) { totalCount } }`, { token });
    relay.cut();
    const answer = await fetch(`${address}/readyz`);
    expect([answer.status, ((await answer.json()) as { ok: boolean }).ok]).toEqual([503, false]);
    const { errors, text } = await ask();
    expect(errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
    expect(text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
    relay.restore();
    await until('it is back', async () => (await fetch(`${address}/readyz`)).status === 200, 10_000);
    expect((await ask()).errors).toBeUndefined();
  });
});

describe('requests that are not right', () => {
  let address: string;

  beforeAll(() => {
    address = servers[0]!.address;
  });

  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(address + path, init);
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const json = { 'content-type': 'application/json' };

  test.each<[string, string, RequestInit, number, string]>([
    ['no JSON', '/graphql', { method: 'POST', headers: json, body: '{' }, 400, 'BAD_USER_INPUT'],
    [
      'a body too large',
      '/graphql',
      { method: 'POST', headers: json, body: JSON.stringify({ query: 'x'.repeat(300_000) }) },
      413,
      'BUDGET_EXCEEDED',
    ],
    [
      'a batch',
      '/graphql',
      { method: 'POST', headers: json, body: '[{"query":"{ viewer { id } }"}]' },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'plain text',
      '/graphql',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ viewer { id } }"}' },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a form',
      '/graphql',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'query=mutation{logout}',
      },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a mutation by GET',
      '/graphql?query=mutation{logout}',
      { headers: { 'apollo-require-preflight': '1' } },
      405,
      'BAD_USER_INPUT',
    ],
    ['a GET from another page', '/graphql?query={viewer{id}}', {}, 400, 'BAD_USER_INPUT'],
    ['no body', '/graphql', { method: 'POST', headers: json }, 400, 'BAD_USER_INPUT'],
    ['another method', '/graphql', { method: 'DELETE', headers: json }, 405, 'BAD_USER_INPUT'],
    ['syntax', '/graphql', { method: 'POST', headers: json, body: '{"query":"{"}' }, 400, 'BAD_USER_INPUT'],
    [
      'an unknown field',
      '/graphql',
      { method: 'POST', headers: json, body: '{"query":"{ nope }"}' },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a stored query',
      '/graphql',
      {
        method: 'POST',
        headers: json,
        body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
      },
      200,
      'BAD_USER_INPUT',
    ],
  ])('%s is answered in JSON with a code and a request id', async (_what, path, init, status, code) => {
    const answer = await send(path, init);
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining('"errors"')]);
    const [error] = (JSON.parse(answer.body) as { errors: { extensions: object }[] }).errors;
    expect(error?.extensions).toEqual({ code, requestId: answer.headers.get('x-request-id') });
    expect(answer.body).not.toMatch(/node_modules|stacktrace|<html/);
  });

  test.each(['/nope.js', '/assets/nope.js', '/%E0%A4%A', '/files/x', '/worker/v1/hello'])(
    '%s is no page and no stack',
    async (path) => {
      const answer = await send(path, { method: 'GET' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(JSON.parse(answer.body)).toHaveProperty('message');
    },
  );

  test('a request id of the caller comes back', async () => {
    const { headers } = await post(address, '{ viewer { id } }', {
      headers: { 'x-request-id': 'trace-12345' },
    });
    expect(headers.get('x-request-id')).toBe('trace-12345');
    const bad = await post(address, '{ viewer { id } }', { headers: { 'x-request-id': 'a b' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  test('fifteen thousand tokens, thirty levels and a thousand directives are refused in no time', async () => {
    const deep = `{ ${'node(id: "x") { ... on Job { owner '.repeat(1)} ${'{ x '.repeat(30)}${'}'.repeat(30)} } } }`;
    const documents = [
      `{ ${'__typename '.repeat(15_000)} }`,
      `{ viewer { id ${'@skip(if: false) '.repeat(300)} } }`,
      deep,
    ];
    for (const document of documents) {
      const started = performance.now();
      const { errors } = await post(address, document);
      expect(performance.now() - started).toBeLessThan(200);
      expect(errors?.map(({ extensions }) => extensions.code)).toContain('BUDGET_EXCEEDED');
    }
  });
});
