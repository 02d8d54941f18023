import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { NodeClient } from '@gjm/client/node.js';
import { until } from '../support/until.js';
import { statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import { childrenOn, GpuBench } from './gpu-bench.js';
import { nameOf, StandInSmi, type StandInMachine } from './stand-in.js';

const [left, right] = ['GPU-11111111-aaaa', 'GPU-22222222-bbbb'];
const twoGpus: StandInMachine = {
  gpus: [
    { uuid: left, bus: '00000000:01:00.0', childMb: 400 },
    { uuid: right, bus: '00000000:81:00.0', childMb: 400 },
  ],
};
/** Longer than any test: a job that is still there until something happens to it. */
const long = { steps: 10_000, stepMs: 20 };
const onGpu = { deviceSelector: { kind: 'gpu' } };

let bench: GpuBench;
let client: NodeClient;
let smi: StandInSmi;

beforeAll(async () => {
  bench = await GpuBench.open();
  client = bench.client;
  smi = new StandInSmi(twoGpus);
  bench.startWorker('first', smi.path);
  await bench.healthy(left, right);
}, 60_000);
afterAll(async () => {
  await bench.close();
  smi.close();
});
afterEach(async () => {
  smi.set({ ...twoGpus, hangs: false });
  await bench.healthy(left, right);
});

/** The GPU on which the job runs, and the other one. */
async function whereItRuns(jobId: string): Promise<[uid: string, other: string]> {
  const [name] = await bench.running(jobId);
  const uid = [left, right].find((one) => nameOf(one) === name);
  if (!uid) throw new Error(`It runs on ${name ?? 'nothing'}.`);
  return [uid, uid === left ? right : left];
}

test('a GPU is offered by its own id, says what it does, and why it has none of its own engines', async () => {
  expect(await bench.device(left)).toMatchObject({
    ...{ kind: 'GPU', name: nameOf(left), engines: ['wasm'], healthReason: null },
    ...{ memoryBytes: 16_000 * 1024 * 1024, slots: [{ index: 0 }] },
    telemetry: { utilisation: 0, temperatureCelsius: 40, powerWatts: 50 },
    engineAudit: expect.arrayContaining([
      expect.objectContaining({ engine: 'cuda', code: 'DIAGNOSTIC_ENGINE' }),
    ]),
  });
  expect(childrenOn(left)).toEqual([
    expect.arrayContaining([`CUDA_VISIBLE_DEVICES=${left}`, 'CUDA_DEVICE_ORDER=PCI_BUS_ID']),
  ]);
  const cpu = (await client.devices()).find(({ kind }) => kind === 'CPU');
  expect(cpu?.engineAudit[0]).toMatchObject({ engine: 'cuda', code: 'DEVICE_IS_CPU' });
});

test('a GPU that is lost under a job ends its attempt, and the job succeeds on another one', async () => {
  const id = await submitDiagnostic(client, { steps: 60, stepMs: 50 }, { ...onGpu, maxAttempts: 2 });
  const [lost, other] = await whereItRuns(id);
  smi.setGpu(lost, { isOffBus: true });
  await bench.becomes(lost, 'LOST', /has lost this GPU/);
  expect((await bench.device(other))?.health).toBe('OK');
  const events = await watchToEnd(client, id);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'QUEUED', 'RUNNING', 'SUCCEEDED']);
  const [first, second] = await bench.attemptsOf(id);
  expect(first).toMatchObject({
    number: 1,
    outcome: 'FAILED',
    failure: { code: 'DEVICE_LOST', origin: 'DEVICE' },
  });
  expect(first?.failure?.message).toContain(`The device ${nameOf(lost)} was lost.`);
  expect(second).toMatchObject({
    number: 2,
    outcome: 'SUCCEEDED',
    usage: {
      peakMemoryBytes: 0,
      isEstimate: false,
      gpuSeconds: expect.any(Number),
      joules: expect.any(Number),
    },
    devices: [{ name: nameOf(other) }],
  });
});

test('a GPU that vanishes under a job ends its attempt, and the job succeeds on another one', async () => {
  const id = await submitDiagnostic(client, { steps: 60, stepMs: 50 }, { ...onGpu, maxAttempts: 2 });
  const [gone, other] = await whereItRuns(id);
  smi.set({ gpus: twoGpus.gpus.filter(({ uuid }) => uuid !== gone) });
  await bench.becomes(gone, 'LOST', /^It has vanished from this machine\.$/);
  expect((await bench.device(other))?.health).toBe('OK');
  const events = await watchToEnd(client, id);
  const told = events.flatMap((event) =>
    event.__typename === 'JobStatusEvent' ? [[event.status, event.attempt, event.failure?.code ?? null]] : [],
  );
  expect(told).toEqual([
    ['QUEUED', null, null],
    ['RUNNING', 1, null],
    ['QUEUED', 1, 'DEVICE_LOST'],
    ['RUNNING', 2, null],
    ['SUCCEEDED', 2, null],
  ]);
  const job = await client.job(id);
  expect(job).toMatchObject({ status: 'SUCCEEDED', maxAttempts: 2, failure: null });
  expect(job?.devices).toMatchObject([{ name: nameOf(other) }]);
  const lost = `The device ${nameOf(gone)} was lost. It has vanished from this machine.`;
  expect(job?.attempts).toMatchObject([
    {
      ...{ number: 1, outcome: 'FAILED', devices: [{ name: nameOf(gone) }] },
      failure: { code: 'DEVICE_LOST', origin: 'DEVICE', retryable: true, message: lost },
    },
    { number: 2, outcome: 'SUCCEEDED', devices: [{ name: nameOf(other) }], failure: null },
  ]);
  expect(await bench.countersOf(id)).toEqual({ attempts: 2, countedFailures: 1 });
});

test('the last try that a job has may end by the loss of its GPU', async () => {
  const id = await submitDiagnostic(client, long, { ...onGpu, maxAttempts: 1 });
  const [lost] = await whereItRuns(id);
  smi.setGpu(lost, { cells: { 'memory.used': '[GPU is lost]' } });
  expect(statusesOf(await watchToEnd(client, id)).at(-1)).toBe('FAILED');
  expect((await client.job(id))?.failure).toMatchObject({ code: 'DEVICE_LOST', retryable: true });
  expect(await bench.attemptsOf(id)).toHaveLength(1);
});

test('GPUs that others use make a job wait and say so; it starts when they are let go', async () => {
  const stranger = { pid: 4_194_000, mb: 9_000 };
  for (const uid of [left, right]) smi.setGpu(uid, { processes: [stranger] });
  await Promise.all([left, right].map((uid) => bench.becomes(uid, 'BUSY_ELSEWHERE')));
  const id = await submitDiagnostic(client, {}, onGpu);
  const reason = await until('it says why it waits', async () =>
    (await client.job(id))?.waiting?.reasons.find(({ code }) => code === 'DEVICE_UNHEALTHY'),
  );
  expect(reason.message).toContain(`Others use it: process ${stranger.pid} with 9.4 GB`);
  expect(await bench.attemptsOf(id)).toEqual([]);
  smi.set(twoGpus);
  expect(statusesOf(await watchToEnd(client, id))).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect(await bench.attemptsOf(id)).toHaveLength(1);
});

test('a job that is cancelled by force frees its GPU at once; one whose process is left makes it dirty, and the next goes elsewhere', async () => {
  const clean = await submitDiagnostic(client, { hang: true }, onGpu);
  const [freed] = await whereItRuns(clean);
  await client.cancel(clean);
  await watchToEnd(client, clean);
  expect((await bench.device(freed))?.health).toBe('OK');

  const id = await submitDiagnostic(client, { hang: true }, onGpu);
  const [dirty, other] = await whereItRuns(id);
  const pid = await until('its process is listed', () => smi.listed(dirty)[0]);
  smi.setGpu(dirty, { processes: [{ pid, mb: 400 }] });
  await client.cancel(id);
  await watchToEnd(client, id);
  const found = await bench.becomes(dirty, 'DIRTY');
  expect(found.healthReason).toBe(`Process ${pid} of an ended attempt still holds it.`);
  const next = await submitDiagnostic(client, {}, onGpu);
  await watchToEnd(client, next);
  expect((await bench.attemptsOf(next))[0]?.devices).toMatchObject([{ name: nameOf(other) }]);
});

test('a card that comes later is offered and takes jobs; no probe answers and it takes none', async () => {
  const third = 'GPU-33333333-cccc';
  smi.set({ gpus: [...twoGpus.gpus, { uuid: third, bus: '00000000:a1:00.0' }] });
  await bench.healthy(third);
  const ids = await Promise.all(
    [1, 2, 3].map(() => submitDiagnostic(client, { steps: 20, stepMs: 50 }, onGpu)),
  );
  await Promise.all(ids.map((id) => watchToEnd(client, id)));
  const used = await Promise.all(ids.map(async (id) => (await bench.attemptsOf(id))[0]?.devices[0]?.name));
  expect(used).toContain(nameOf(third));
  smi.set({ hangs: true });
  await bench.becomes(third, 'UNKNOWN', /^It can not be asked: /);
});

test('while no probe answers a job goes on to its end; its GPU takes nothing new until one does', async () => {
  const id = await submitDiagnostic(client, { steps: 300, stepMs: 20 }, onGpu);
  const [asked] = await whereItRuns(id);
  smi.set({ hangs: true });
  await bench.becomes(asked, 'UNKNOWN', /^It can not be asked: nvidia-smi .*s\.$/);
  expect((await client.job(id))?.status).toBe('RUNNING');
  const next = await submitDiagnostic(client, {}, { deviceSelector: { name: nameOf(asked) } });
  const statuses = statusesOf(await watchToEnd(client, id));
  expect(statuses).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect(await bench.attemptsOf(id)).toMatchObject([{ number: 1, outcome: 'SUCCEEDED', failure: null }]);
  const reason = await until('it says why the next one waits', async () =>
    (await client.job(next))?.waiting?.reasons.find(({ code }) => code === 'DEVICE_UNHEALTHY'),
  );
  expect(reason.message).toContain('It can not be asked');
  expect((await bench.device(asked))?.health).toBe('UNKNOWN');
  expect(await bench.attemptsOf(next)).toEqual([]);
  smi.set({ hangs: false });
  await bench.healthy(asked);
  expect(statusesOf(await watchToEnd(client, next))).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect(await bench.attemptsOf(next)).toMatchObject([{ number: 1, devices: [{ name: nameOf(asked) }] }]);
});

test.each([
  ['gpu', ['cuda', 'webgpu', 'native'].map((engine) => [engine, 'DIAGNOSTIC_ENGINE'])],
  [
    'cpu',
    [
      ...['cuda', 'webgpu'].map((engine) => [engine, 'DEVICE_IS_CPU']),
      ['native', expect.stringMatching(/^NATIVE_/)],
    ],
  ],
])(
  'an attempt on a %s says which engine it should have had, which it had, and why',
  async (kind, skipped) => {
    const id = await submitDiagnostic(client, {}, { deviceSelector: { kind } });
    await watchToEnd(client, id);
    const [attempt] = await bench.attemptsOf(id);
    expect(attempt).toMatchObject({
      ...{ outcome: 'SUCCEEDED', engine: 'wasm' },
      audit: { wantedEngine: 'cuda', usedEngine: 'wasm' },
    });
    expect(attempt?.audit.skipped.map(({ engine, code }) => [engine, code])).toEqual(skipped);
    for (const { message } of attempt?.audit.skipped ?? []) expect(message).toMatch(/^[A-Z].*\.$/);
  },
);

test('a GPU on which no engine works is shown, says why, and lets a job wait with NO_ENGINE', async () => {
  const uuid = 'GPU-44444444-dddd';
  const bare = new StandInSmi({ gpus: [{ uuid }] });
  const second = bench.startWorker('second', bare.path, { GJM_DIAGNOSTIC_JOBS: '0' });
  const found = await bench.becomes(uuid, 'UNKNOWN', /no engine works here/);
  expect(found.engines).toEqual([]);
  expect(found.engineAudit.map(({ engine, code }) => [engine, code])).toEqual([
    ['cuda', expect.stringMatching(/^CUDA_/)],
    ['webgpu', expect.stringMatching(/^WEBGPU_/)],
    ...['native', 'wasm', 'cpu'].map((engine) => [engine, 'DEVICE_IS_GPU']),
  ]);
  const id = await submitDiagnostic(client, {}, { deviceSelector: { kind: 'gpu', worker: 'second' } });
  await until('it says why it waits', async () =>
    (await client.job(id))?.waiting?.reasons.find(({ code }) => code === 'NO_ENGINE'),
  );
  await client.cancel(id);
  await bench.stopWorker(second);
  bare.close();
});
