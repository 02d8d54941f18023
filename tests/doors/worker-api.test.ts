import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { attemptTokenHeader, workerApiPath } from '@gjm/core/wire/worker-api.js';
import { workerRoutes } from '@gjm/server/worker-api/router.js';
import { ask, post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { innerWords } from './server-log.js';

let bench: ServerBench;
let url: string;
let database: pg.Client;
let admin: SignedIn;
let worker: Machine;
let other: Machine;

const key = () => randomBytes(32).toString('hex');
const unknownAttempt = `att_0${'7'.repeat(25)}`;
const sha256 = '0'.repeat(64);

/** A machine that speaks the worker API by hand. */
interface Machine {
  token: string;
  id: string;
  bootId: string;
}

/** Everything this API can be asked, with bodies that parse; a route without an entry fails the first test. */
const bodies: Record<string, (machine: Machine, attemptId: string, token: string) => object | undefined> = {
  'POST /hello': (machine) => hello(machine.bootId),
  'POST /heartbeat': ({ id, bootId }, attemptId) => ({
    workerId: id,
    bootId,
    attempts: [{ attemptId, tokenHash: sha256 }],
    devices: [],
    probes: [],
    draining: false,
  }),
  'POST /wait': ({ id, bootId }) => ({ workerId: id, bootId }),
  'POST /claim': ({ id }, attemptId, claimKey) => ({ workerId: id, attemptId, claimKey }),
  'POST /report': ({ id }, attemptId, token) => ({ workerId: id, attemptId, token, items: [log(1, 'x\n')] }),
  'POST /finish': ({ id }, attemptId, token) => ({
    ...{
      workerId: id,
      attemptId,
      token,
      items: [],
      outcome: 'FAILED',
      engine: null,
      failure: null,
      reason: null,
    },
    ...{ artifacts: [], deviceClean: true },
  }),
  'PUT /attempts/:attempt/artifacts': () => undefined,
  'GET /attempts/:attempt/inputs/:file': () => undefined,
};
const log = (number: number, text: string) => ({ type: 'log', number, stream: 'STDOUT', text, firstLine: 1 });
const device = {
  ...{
    uid: 'cpu',
    name: 'CPU',
    kind: 'CPU',
    engines: ['wasm', 'cpu'],
    slots: 200,
    memoryBytes: 2 ** 34,
    memoryFreeBytes: 2 ** 34,
  },
  ...{ health: 'OK', healthReason: null, labels: {} },
};
const nameOf = (bootId: string) => `m-${bootId.slice(0, 12)}`;
const hello = (bootId: string) => ({
  ...{
    apiVersion: 1,
    instanceId: `instance-${bootId}`,
    bootId,
    name: nameOf(bootId),
    version: '0',
  },
  ...{ devices: [device], engineAudit: [] },
});

const pathOf = (path: string, attemptId: string) =>
  `${workerApiPath}${path.replace(':attempt', attemptId).replace(':file', `upl_0${'7'.repeat(25)}`)}${
    path.endsWith('artifacts') ? `?role=RESULT&name=x&mediaType=text/plain&sha256=${sha256}&bytes=1` : ''
  }`;

async function send(
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
  attemptToken?: string,
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(attemptToken ? { [attemptTokenHeader]: attemptToken } : {}),
    },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body ?? 'x') }),
    signal: AbortSignal.timeout(5_000),
  });
  return { status: response.status, text: await response.text() };
}
const call = (path: string, token: string, body: unknown) =>
  send('POST', `${workerApiPath}${path}`, token, body);

async function makeMachine(): Promise<Machine> {
  const { token } = await ask<{ token: string }>(
    url,
    'mutation { createWorkerToken(input: { name: "x" }) { __typename ... on CreateWorkerTokenSuccess { token } } }',
    { token: admin.token },
  );
  const bootId = randomBytes(16).toString('hex');
  const answer = await call('/hello', token ?? '', hello(bootId));
  return { token: token ?? '', bootId, id: (JSON.parse(answer.text) as { workerId: string }).workerId };
}

const rows = async (sql: string, values: unknown[] = []) =>
  (await database.query<Record<string, unknown>>(sql, values)).rows;

/** A job that was placed on the worker and is claimed there. */
async function claimed(): Promise<{ jobId: string; attemptId: string; token: string }> {
  const { job } = await ask<{ job: { id: string } }>(
    url,
    'mutation ($on: JSONObject) { submitJob(input: { kind: "diagnostic", params: {}, deviceSelector: $on }) { __typename ... on SubmitJobSuccess { job { id } } } }',
    { variables: { on: { worker: nameOf(worker.bootId) } }, token: admin.token },
  );
  const jobId = job?.id ?? '';
  const placed = await until(
    'it is placed',
    async () =>
      (await rows(`SELECT id FROM attempts WHERE job_id = $1 AND state = 'DISPATCHED'`, [jobId]))[0],
  );
  const [token, attemptId] = [key(), String(placed['id'])];
  const answer = await call('/claim', worker.token, { workerId: worker.id, attemptId, claimKey: token });
  expect(answer.text).toContain('"granted":true');
  return { jobId, attemptId, token };
}

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env: Record<string, string> = {
    ...(await bench.install()),
    GJM_DIAGNOSTIC_JOBS: '1',
    GJM_LEASE_MS: '60000',
    GJM_DISPATCH_MS: '60000',
  };
  [url] = (await bench.startMany(1, env)) as [string];
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  admin = await signUp(url);
  [worker, other] = [await makeMachine(), await makeMachine()];
}, 30_000);

afterAll(async () => {
  await database.end();
  await bench.close();
});

describe('a door of the worker API', () => {
  test('has a check', () => {
    expect(workerRoutes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      Object.keys(bodies).sort(),
    );
  });

  test('is shut without a good worker token', async () => {
    const { attemptId, token } = await claimed();
    const revoked = await makeMachine();
    const hash = createHash('sha256').update(revoked.token).digest('hex');
    await rows('UPDATE worker_tokens SET revoked_at = now() WHERE hash = $1', [hash]);
    const claimRevoked = () =>
      call('/claim', revoked.token, { workerId: revoked.id, attemptId: unknownAttempt, claimKey: token });
    await until('the revoked token is known', async () => (await claimRevoked()).status === 401);
    const before = await rows('SELECT id, last_sequence FROM jobs ORDER BY id');
    const invented = [`gjmw_${'x'.repeat(43)}`, `${worker.token}x`, worker.token.toUpperCase()];
    for (const { method, path } of workerRoutes)
      for (const bad of [null, admin.token, 'x', revoked.token, ...invented]) {
        const body = bodies[`${method} ${path}`]?.(worker, attemptId, token);
        const answer = await send(method, pathOf(path, attemptId), bad, body, token);
        expect([path, bad?.slice(0, 8), answer.status]).toEqual([path, bad?.slice(0, 8), 401]);
      }
    expect(await rows('SELECT id, last_sequence FROM jobs ORDER BY id')).toEqual(before);
  });

  test('does nothing for an attempt with a token or a worker that is not its own, and says what an unknown attempt gets', async () => {
    const { jobId, attemptId, token } = await claimed();
    const state = () => rows('SELECT status, last_sequence, progress FROM jobs WHERE id = $1', [jobId]);
    const before = await state();
    for (const path of ['/claim', '/report', '/finish']) {
      const body = bodies[`POST ${path}`];
      const unknown = (await call(path, worker.token, body?.(worker, unknownAttempt, token))).text;
      for (const [who, withToken] of [
        [worker, key()],
        [other, token],
        [other, key()],
        [{ ...worker, id: 'wrk_unknown' }, token],
      ] as const)
        expect((await call(path, other.token, body?.(who, attemptId, withToken))).text).toBe(unknown);
    }
    const artifacts = pathOf('/attempts/:attempt/artifacts', attemptId);
    const inputs = pathOf('/attempts/:attempt/inputs/:file', attemptId);
    for (const wrong of [key(), '', 'x']) {
      const theirs = await send('PUT', artifacts, worker.token, 'x', wrong);
      expect(theirs).toEqual(
        await send('PUT', artifacts.replace(attemptId, unknownAttempt), worker.token, 'x', wrong),
      );
      expect(theirs.status).toBe(409);
      expect((await send('GET', inputs, worker.token, undefined, wrong)).status).toBe(404);
    }
    expect(await state()).toEqual(before);
    expect(
      (await call('/report', worker.token, bodies['POST /report']?.(worker, attemptId, token))).text,
    ).toContain('"accepted":true');
  });

  test.each(workerRoutes.filter(({ method }) => method === 'POST'))(
    '$path takes odd text without a fault',
    async ({ path }) => {
      const { attemptId, token } = await claimed();
      const good = JSON.stringify(
        bodies[`POST ${path}`]?.({ ...worker, bootId: `${worker.bootId}-2` }, attemptId, token),
      );
      const texts = [...good.matchAll(/"(?:[^"\\]|\\.)*"(?!:)/g)].map(({ 0: text, index }) => ({
        text,
        index,
      }));
      for (const { text, index } of texts)
        for (const odd of [
          '"\\u0000"',
          '"x\\u0000x\\u0000xxxxxxxxxxxxxx"',
          '"\\ud800xxxxxxxxxxxxxxxxxxx"',
          `"${'x'.repeat(100_000)}"`,
          '""',
        ]) {
          if (path === '/wait') break; // it is held open; its text goes nowhere
          const body = good.slice(0, index) + odd + good.slice(index + text.length);
          const answer = await call(path, worker.token, body);
          expect([text, odd.slice(0, 12), answer.status]).toEqual([
            text,
            odd.slice(0, 12),
            expect.not.stringMatching('500'),
          ]);
          expect([200, 400, 404, 409]).toContain(answer.status);
          expect(answer.text).not.toMatch(innerWords);
        }
    },
  );

  test('takes odd names of files, unknown paths and bodies that are none without a fault', async () => {
    const { attemptId, token } = await claimed();
    for (const name of ['%00', '%ED%A0%80', '..%2f..%2fetc', 'x'.repeat(300), '%F0%9F%8E%89']) {
      const path = pathOf('/attempts/:attempt/artifacts', attemptId).replace('name=x', `name=${name}`);
      const { status } = await send('PUT', path, worker.token, 'x', token);
      expect([200, 400, 422]).toContain(status);
    }
    for (const path of [
      '/',
      '/nothing',
      '/attempts//artifacts',
      '/attempts/%00/artifacts',
      `/attempts/${'x'.repeat(9_000)}/inputs/y`,
    ])
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const { status } = await send(method, workerApiPath + path, worker.token, 'x', token);
        expect([path, method, [400, 404, 409].includes(status)]).toEqual([path, method, true]);
      }
    for (const body of ['', '{', '[]', 'null', '"x"', '{"a":'.repeat(20_000)])
      expect((await call('/report', worker.token, body)).status).toBe(400);
    expect((await post(url, '{ health { ok } }')).data).toEqual({ health: { ok: true } });
  });
});
