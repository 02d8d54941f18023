import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ProblemError, unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { faultsOfSequence } from '../support/sequence.js';
import { until } from '../support/until.js';
import { logOf, newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';

let client: NodeClient;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
});
afterAll(() => client.close());

const isRunning = (id: string) =>
  until('the job runs', async () => (await client.job(id))?.status === 'RUNNING');

/** The code with which a refused call answers. */
async function refusalOf(call: Promise<Parameters<typeof unwrap>[0]>): Promise<string> {
  try {
    unwrap(await call);
    return 'none';
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  }
}

test('a job succeeds: its log, progress and artifact come in one numbered sequence', async () => {
  const id = await submitDiagnostic(client, { steps: 3, logLines: 3, artifactBytes: 100_000 });
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect(logOf(events)).toBe('line 1\nline 2\nline 3\n');
  expect(events.filter((event) => event.__typename === 'JobProgressEvent').at(-1)).toMatchObject({
    progress: { step: 3, total: 3, fraction: 1 },
  });
  const job = await client.job(id);
  expect(job).toMatchObject({
    status: 'SUCCEEDED',
    // The former where TensorFlow's C library has been set up.
    engine: expect.stringMatching(/^(native|wasm)$/) as unknown,
    lastSequence: events.length,
    failure: null,
  });
  expect(job?.artifacts).toMatchObject([{ name: 'output.bin', bytes: 100_000, role: 'RESULT' }]);
  const stages = job?.decisions.map((decision) => decision.stage);
  expect(stages).toEqual(['planner', 'scheduler', 'evaluator']);
});

test.each([
  ['at a step', { steps: 5, failAtStep: 2 }],
  ['after the last step', { steps: 1, shouldFail: true }],
])('a workload that fails %s makes the job FAILED once, without a retry', async (_name, params) => {
  const id = await submitDiagnostic(client, params);
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  const job = await client.job(id);
  expect(job).toMatchObject({ status: 'FAILED', failure: { code: 'WORKLOAD_ERROR', retryable: false } });
  expect(job?.attempts).toHaveLength(1);
});

test('a crash is retried up to the cap, then the job fails with the signal named and the device serves the next', async () => {
  const id = await submitDiagnostic(client, { crash: true }, { maxAttempts: 2 });
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'QUEUED', 'RUNNING', 'FAILED']);
  const job = await client.job(id);
  expect(job?.failure?.code).toBe('RUNNER_CRASHED');
  expect(job?.failure?.message).toContain('SIGABRT');
  expect(job?.attempts.map((attempt) => attempt.outcome)).toEqual(['FAILED', 'FAILED']);
  const next = await submitDiagnostic(client, {});
  expect(statusesOf(await watchToEnd(client, next)).at(-1)).toBe('SUCCEEDED');
});

test('bad params are refused with the path of each bad field, and nothing is stored', async () => {
  const before = (await client.jobs({ first: 1 })).nodes[0]?.id;
  for (const [params, path] of [
    [{ steps: 0 }, 'params.steps'],
    [{ steps: 'x' }, 'params.steps'],
    [{ speed: 1 }, 'params.speed'],
  ] as const)
    await expect(client.submit({ kind: 'diagnostic', params })).resolves.toMatchObject({
      __typename: 'ValidationProblem',
      fields: [{ path: path.split('.') }],
    });
  await expect(client.submit({ kind: 'no.such', params: {} })).resolves.toMatchObject({
    __typename: 'ValidationProblem',
    code: 'UNKNOWN_KIND',
    fields: [{ path: ['kind'] }],
  });
  for (const [extra, path] of [
    [{ dependsOn: ['job_00000000000000000000000000'] }, 'dependsOn'],
    [{ devices: 2 }, 'devices'],
    [{ tier: 'large' }, 'tier'],
    [{ priority: 101 }, 'priority'],
    [{ deviceSelector: { colour: 'red' } }, 'deviceSelector.colour'],
    [{ labels: { a: 1 } }, 'labels.a'],
  ] as const)
    await expect(
      client.submit({
        kind: 'diagnostic',
        params: {},
        ...extra,
        dependsOn: 'dependsOn' in extra ? [...extra.dependsOn] : null,
      }),
    ).resolves.toMatchObject({ __typename: 'ValidationProblem', fields: [{ path: path.split('.') }] });
  expect((await client.jobs({ first: 1 })).nodes[0]?.id).toBe(before);
});

test('a queued job is cancelled at once and never starts', async () => {
  const id = await submitDiagnostic(client, {}, { deviceSelector: { name: 'no such device' } });
  const { job } = unwrap(await client.cancel(id, 'not needed'));
  expect(job.status).toBe('CANCELLED');
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'CANCELLED']);
  expect(events.at(-2)).toMatchObject({ __typename: 'JobCancelRequestedEvent', reason: 'not needed' });
  expect((await client.job(id))?.attempts).toEqual([]);
});

test('a running job is cancelled cooperatively; asking twice is one event; afterwards it is terminal', async () => {
  const id = await submitDiagnostic(client, { steps: 1_000, stepMs: 20 });
  await isRunning(id);
  expect(await refusalOf(client.deleteJob(id))).toBe('JOB_NOT_TERMINAL');
  unwrap(await client.cancel(id));
  await client.cancel(id);
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'CANCELLED']);
  expect(events.filter((event) => event.__typename === 'JobCancelRequestedEvent')).toHaveLength(1);
  expect(await refusalOf(client.cancel(id))).toBe('JOB_TERMINAL');
});

test.each([
  ['ignores it', { steps: 1_000, stepMs: 20, ignoreCancel: true }],
  ['never yields', { hang: true }],
])('a job that %s is cancelled by force', async (_name, params) => {
  const id = await submitDiagnostic(client, params);
  await isRunning(id);
  unwrap(await client.cancel(id));
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  expect(await client.job(id)).toMatchObject({ status: 'CANCELLED', failure: null });
});

test('a job that runs too long ends as TIMEOUT, not retried', async () => {
  const id = await submitDiagnostic(client, { hang: true }, { timeoutSeconds: 1 });
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  const job = await client.job(id);
  expect(job).toMatchObject({ status: 'FAILED', failure: { code: 'TIMEOUT' } });
  expect(job?.attempts).toHaveLength(1);
});

test('a late watcher replays everything and completes; one who asks from the end completes at once', async () => {
  const id = await submitDiagnostic(client, { logLines: 2 });
  const live = await watchToEnd(client, id);
  const late = await watchToEnd(client, id);
  expect(late).toEqual(live);
  expect(await watchToEnd(client, id, 2)).toEqual(live.slice(2));
  expect(await watchToEnd(client, id, live.length)).toEqual([]);
});

test('the same request id gives the same job once, and another content is refused', async () => {
  const input = { kind: 'diagnostic', params: { steps: 1 }, clientRequestId: `id-${Date.now()}` };
  const results = await Promise.all(Array.from({ length: 10 }, () => client.submit(input)));
  // Defaults written out and nulls mean the same submit.
  const spelled = { ...input, params: { steps: null, stepMs: 0 }, labels: {}, priority: null, dependsOn: [] };
  results.push(await client.submit(spelled), await client.submit({ ...input, params: {} }));
  const ids = new Set(results.map((result) => unwrap(result).job.id));
  expect(ids.size).toBe(1);
  expect(await refusalOf(client.submit({ ...input, params: { steps: 2 } }))).toBe('REQUEST_ID_REUSED');
  const [id] = ids;
  await watchToEnd(client, id!);
  unwrap(await client.deleteJob(id!));
  expect(unwrap(await client.submit({ ...input, params: { steps: 2 } })).job.id).not.toBe(id);
});

test('a queued job says everything that blocks it', async () => {
  const id = await submitDiagnostic(client, {}, { deviceSelector: { kind: 'gpu' } });
  const job = await client.job(id);
  expect(job?.waiting?.reasons.map((reason) => reason.code)).toEqual(['SELECTOR']);
  expect(job?.waiting?.position).toBeGreaterThanOrEqual(1);
  unwrap(await client.cancel(id));
});
