import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { RawSocket } from '../support/raw-socket.js';
import { ServerBench } from '../support/server-process.js';
import { login, password, signUp, type SignedIn } from '../support/sign-in.js';

let bench: ServerBench;
let env: Record<string, string>;
let url: string;
let second: string;
let person: SignedIn;
const sockets: RawSocket[] = [];

const open = (to = url, headers: Record<string, string> = {}): RawSocket => {
  const socket = new RawSocket(to, headers);
  sockets.push(socket);
  return socket;
};

const live = 'subscription { jobsChanged { deletedId } }';

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  env = await bench.install();
  [url, second] = (await bench.startMany(2, env)) as [string, string];
  await signUp(url);
  person = await signUp(url);
});

afterAll(async () => {
  for (const socket of sockets) socket.close();
  await bench.close();
});

describe('a socket', () => {
  test.each([
    ['no token', undefined],
    ['a bad token', 'x.y.z'],
  ])('with %s is closed 4403', async (_what, token) => {
    const socket = open();
    await expect(socket.connect(token)).rejects.toThrow('Closed');
    expect((await socket.closed).code).toBe(4403);
  });

  test('that does not sign in is closed 4408', async () => {
    expect((await open().closed).code).toBe(4408);
  });

  test('that subscribes before it signed in is closed 4401', async () => {
    const socket = open();
    await socket.opened();
    socket.subscribe('1', live);
    expect((await socket.closed).code).toBe(4401);
  });

  test('of another site’s page is refused before it opens', async () => {
    await expect(open(url, { origin: 'http://evil.example' }).opened()).rejects.toThrow('403');
    await expect(open(url, { origin: 'null' }).opened()).rejects.toThrow('403');
    await expect(open(url, { origin: url }).connect(person.token)).resolves.toBeDefined();
  });

  test('that is not for /graphql is refused', async () => {
    await expect(open(`${url}/x`).opened()).rejects.toThrow('404');
  });

  test('with a message above 64 KiB is closed 1009', async () => {
    const socket = await open().connect(person.token);
    socket.send(JSON.stringify({ type: 'ping', payload: { x: 'y'.repeat(70_000) } }));
    expect((await socket.closed).code).toBe(1009);
  });

  test('closes 4403 when its token expires', async () => {
    const [short = url] = await bench.startMany(1, { ...env, GJM_ACCESS_TOKEN_SECONDS: '2' });
    const { accessToken } = await login(short, { email: person.email, password });
    const socket = await open(url).connect(accessToken);
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Token expired' });
  });

  test('closes 4403 when its session ends, on another server too', async () => {
    const leaving = await signUp(url);
    const [here, there] = await Promise.all([
      open(url).connect(leaving.token),
      open(second).connect(leaving.token),
    ]);
    const started = Date.now();
    await post(url, 'mutation { logout }', { token: leaving.token });
    expect((await here.closed).code).toBe(4403);
    expect((await there.closed).code).toBe(4403);
    expect(Date.now() - started).toBeLessThan(5_000);
  });

  test('closes 1001 when the server stops', async () => {
    const server = await bench.start(env);
    const socket = await open(server.address).connect(person.token);
    server.kill('SIGTERM');
    expect((await socket.closed).code).toBe(1001);
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });
});

describe('an operation on a socket', () => {
  let socket: RawSocket;

  beforeAll(async () => {
    socket = await open().connect(person.token);
  });

  /** The codes of the errors that end an operation. */
  async function codesOf(
    id: string,
    query: string,
    variables: object = {},
    on: RawSocket = socket,
  ): Promise<string[]> {
    on.subscribe(id, query, variables);
    const { payload } = await on.next((message) => message.id === id && message.type === 'error');
    return (payload as { extensions: { code: string; requestId: string } }[]).map(({ extensions }) => {
      expect(extensions.requestId).toMatch(/^[\w-]{36}$/);
      return extensions.code;
    });
  }

  test('that is a query or a mutation is one BAD_USER_INPUT, and the socket stays', async () => {
    expect(await codesOf('q', '{ viewer { id } }')).toEqual(['BAD_USER_INPUT']);
    expect(await codesOf('m', 'mutation { logout }')).toEqual(['BAD_USER_INPUT']);
    expect(await codesOf('s', 'subscription {')).toEqual(['BAD_USER_INPUT']);
    expect(await codesOf('f', 'subscription { nope }')).toEqual(['BAD_USER_INPUT']);
    expect(await codesOf('v', 'subscription ($id: ID!) { jobEvents(jobId: $id) { sequence } }')).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  test('has the same budgets as over HTTP', async () => {
    expect(await codesOf('t', `subscription { ${'__typename '.repeat(3_000)} }`)).toEqual([
      'BUDGET_EXCEEDED',
    ]);
    const deep = `{ owner { id } attempts { artifacts { id } devices ${'{ worker '.repeat(20)} { id } ${'}'.repeat(20)} } }`;
    expect(await codesOf('d', `subscription { jobsChanged { job ${deep} } }`)).toContain('BUDGET_EXCEEDED');
  });

  test('for an unknown, a malformed or a foreign job is one NOT_FOUND', async () => {
    const watch = `subscription ($id: ID!) { jobEvents(jobId: $id) { sequence } }`;
    expect(await codesOf('u', watch, { id: `job_${'0'.repeat(26)}` })).toEqual(['NOT_FOUND']);
    expect(await codesOf('x', watch, { id: 'x' })).toEqual(['NOT_FOUND']);
  });

  test('beyond a hundred on one socket is refused; the others go on', async () => {
    const busy = await open().connect(person.token);
    for (let i = 0; i < 100; i++) busy.subscribe(`n${i}`, live);
    expect(await codesOf('n100', live, {}, busy)).toEqual(['BUDGET_EXCEEDED']);
    expect(busy.messages.filter(({ type }) => type === 'error')).toHaveLength(1);
  });
});
