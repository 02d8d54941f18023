import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';
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
/** A lease that a busy machine keeps: what is harmed here are devices. */
const timing = { ...fastTiming, GJM_LEASE_MS: '6000', GJM_DISPATCH_MS: '4000' };
const onGpu = { deviceSelector: { kind: 'gpu' } };

let bench: ServerBench;
let worker: WorkerProcess;
let client: NodeClient;
let smi: StandInSmi;
/** Starts a worker that has nothing to compute with on a GPU. */
let startSecond: (smiPath: string) => WorkerProcess;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const token = `gjmw_${randomBytes(32).toString('base64url')}`;
  const own: Record<string, string> = { GJM_DIAGNOSTIC_JOBS: '1', GJM_BOOTSTRAP_WORKER_TOKEN: token };
  const env: Record<string, string> = { ...(await bench.install()), ...timing, ...own };
  const server = await bench.start(env);
  client = await newUser(server.address);
  smi = new StandInSmi(twoGpus);
  const common = { GJM_WORKER_TOKEN: token, GJM_PROBE_MS: '200', GJM_PACKAGES_DIR: '/nowhere' };
  worker = spawnWorker(server.address, {
    ...common,
    GJM_DATA_DIR: join(env['GJM_DATA_DIR'] ?? '', 'worker'),
    GJM_DIAGNOSTIC_JOBS: '1',
    GJM_DIAGNOSTIC_GPU_ENGINE: 'wasm',
    GJM_NVIDIA_SMI: smi.path,
  });
  startSecond = (path) =>
    spawnWorker(server.address, {
      ...common,
      GJM_DATA_DIR: join(env['GJM_DATA_DIR'] ?? '', 'second'),
      GJM_WORKER_NAME: 'second',
      GJM_NVIDIA_SMI: path,
    });
  await healthy(left, right);
}, 60_000);
afterAll(async () => {
  client.close();
  worker.child.kill('SIGTERM');
  expect(await worker.exit).toBe(0);
  await bench.close();
  smi.close();
});
afterEach(async () => {
  smi.set({ ...twoGpus, hangs: false });
  await healthy(left, right);
});

const device = async (uid: string) => (await client.devices()).find((found) => found.uid === uid);
/** Waits until a device is so, and says so; its worker is online all the while. */
const becomes = (uid: string, health: string, reason = /.*/) =>
  until(
    `${uid} is ${health}`,
    async () => {
      const found = await device(uid);
      return found?.health === health && reason.test(found.healthReason ?? '') ? found : null;
    },
    20_000,
  );
const healthy = (...uids: string[]) => Promise.all(uids.map((uid) => becomes(uid, 'OK')));

/** The GPU on which the job runs, and the other one. */
async function whereItRuns(jobId: string): Promise<[uid: string, other: string]> {
  const uid = await until(
    'it runs',
    async () => {
      const job = await client.job(jobId);
      const name = job?.status === 'RUNNING' ? job.devices[0]?.name : null;
      return [left, right].find((uid) => nameOf(uid) === name);
    },
    10_000,
  );
  return [uid, uid === left ? right : left];
}

const attemptsOf = async (jobId: string) => (await client.job(jobId))?.attempts ?? [];

test('a GPU is offered by its own id, says what it does, and why it has none of its own engines', async () => {
  expect(await device(left)).toMatchObject({
    ...{ kind: 'GPU', name: nameOf(left), engines: ['wasm'], healthReason: null },
    ...{ memoryBytes: 16_000 * 1024 * 1024, slots: [{ index: 0 }] },
    telemetry: { utilisation: 0, temperatureCelsius: 40, powerWatts: 50 },
    engineAudit: expect.arrayContaining([
      expect.objectContaining({ engine: 'cuda', code: 'DIAGNOSTIC_ENGINE' }),
    ]),
  });
  const child = readFileSync(`/proc/${smi.listed(left)[0]}/environ`, 'latin1').split('\0');
  expect(child).toEqual(
    expect.arrayContaining([`CUDA_VISIBLE_DEVICES=${left}`, 'CUDA_DEVICE_ORDER=PCI_BUS_ID']),
  );
  const cpu = (await client.devices()).find(({ kind }) => kind === 'CPU');
  expect(cpu?.engineAudit[0]).toMatchObject({ engine: 'cuda', code: 'DEVICE_IS_CPU' });
});

test('a GPU that is lost under a job ends its attempt, and the job succeeds on another one', async () => {
  const id = await submitDiagnostic(client, { steps: 60, stepMs: 50 }, { ...onGpu, maxAttempts: 2 });
  const [lost, other] = await whereItRuns(id);
  smi.setGpu(lost, { isOffBus: true });
  await becomes(lost, 'LOST', /has lost this GPU/);
  expect((await device(other))?.health).toBe('OK');
  const events = await watchToEnd(client, id);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'QUEUED', 'RUNNING', 'SUCCEEDED']);
  const [first, second] = await attemptsOf(id);
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

test('the last try that a job has may end by the loss of its GPU', async () => {
  const id = await submitDiagnostic(client, long, { ...onGpu, maxAttempts: 1 });
  const [lost] = await whereItRuns(id);
  smi.setGpu(lost, { cells: { 'memory.used': '[GPU is lost]' } });
  expect(statusesOf(await watchToEnd(client, id)).at(-1)).toBe('FAILED');
  expect((await client.job(id))?.failure).toMatchObject({ code: 'DEVICE_LOST', retryable: true });
  expect(await attemptsOf(id)).toHaveLength(1);
});

test('GPUs that others use make a job wait and say so; it starts when they are let go', async () => {
  const stranger = { pid: 4_194_000, mb: 9_000 };
  for (const uid of [left, right]) smi.setGpu(uid, { processes: [stranger] });
  await Promise.all([left, right].map((uid) => becomes(uid, 'BUSY_ELSEWHERE')));
  const id = await submitDiagnostic(client, {}, onGpu);
  const reason = await until('it says why it waits', async () =>
    (await client.job(id))?.waiting?.reasons.find(({ code }) => code === 'DEVICE_UNHEALTHY'),
  );
  expect(reason.message).toContain(`Others use it: process ${stranger.pid} with 9.4 GB`);
  expect(await attemptsOf(id)).toEqual([]);
  smi.set(twoGpus);
  expect(statusesOf(await watchToEnd(client, id))).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect(await attemptsOf(id)).toHaveLength(1);
});

test('a job that is cancelled by force frees its GPU at once; one whose process is left makes it dirty, and the next goes elsewhere', async () => {
  const clean = await submitDiagnostic(client, { hang: true }, onGpu);
  const [freed] = await whereItRuns(clean);
  await client.cancel(clean);
  await watchToEnd(client, clean);
  expect((await device(freed))?.health).toBe('OK');

  const id = await submitDiagnostic(client, { hang: true }, onGpu);
  const [dirty, other] = await whereItRuns(id);
  const pid = await until('its process is listed', () => smi.listed(dirty)[0]);
  smi.setGpu(dirty, { processes: [{ pid, mb: 400 }] });
  await client.cancel(id);
  await watchToEnd(client, id);
  const found = await becomes(dirty, 'DIRTY');
  expect(found.healthReason).toBe(`Process ${pid} of an ended attempt still holds it.`);
  const next = await submitDiagnostic(client, {}, onGpu);
  await watchToEnd(client, next);
  expect((await attemptsOf(next))[0]?.devices).toMatchObject([{ name: nameOf(other) }]);
});

test('a card that comes later is offered and takes jobs; no probe answers and it takes none', async () => {
  const third = 'GPU-33333333-cccc';
  smi.set({ gpus: [...twoGpus.gpus, { uuid: third, bus: '00000000:a1:00.0' }] });
  await healthy(third);
  const ids = await Promise.all(
    [1, 2, 3].map(() => submitDiagnostic(client, { steps: 20, stepMs: 50 }, onGpu)),
  );
  await Promise.all(ids.map((id) => watchToEnd(client, id)));
  const used = await Promise.all(ids.map(async (id) => (await attemptsOf(id))[0]?.devices[0]?.name));
  expect(used).toContain(nameOf(third));
  smi.set({ hangs: true });
  await becomes(third, 'UNKNOWN', /^It can not be asked: /);
});

test('a GPU on which no engine works is shown, says why, and lets a job wait with NO_ENGINE', async () => {
  const uuid = 'GPU-44444444-dddd';
  const bare = new StandInSmi({ gpus: [{ uuid }] });
  const second = startSecond(bare.path);
  const found = await becomes(uuid, 'UNKNOWN', /no engine works here/);
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
  second.child.kill('SIGTERM');
  expect(await second.exit).toBe(0);
  bare.close();
});
