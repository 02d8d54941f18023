import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import type { WorkerProcess } from '../support/worker-process.js';
import { childrenOn, GpuBench } from './gpu-bench.js';
import { nameOf, StandInSmi, type StandInMachine } from './stand-in.js';

/** Longer than its test: it ends by a cancel. */
const long = { steps: 10_000, stepMs: 20 };
/** Pins of the processes that were started for a device. */
const pinsOn = (uid: string) =>
  childrenOn(uid).map((env) => env.find((variable) => variable.startsWith('CUDA_VISIBLE_DEVICES=')));

let bench: GpuBench;
let made: { smi: StandInSmi; worker: WorkerProcess }[] = [];

beforeAll(async () => {
  bench = await GpuBench.open();
}, 60_000);
afterEach(async () => {
  for (const { smi, worker } of made) {
    await bench.stopWorker(worker);
    smi.close();
  }
  made = [];
});
afterAll(() => bench.close());

/** A worker on such a machine. */
function startOn(name: string, machine: StandInMachine, path?: string): StandInSmi {
  const smi = new StandInSmi(machine);
  made.push({ smi, worker: bench.startWorker(name, path ?? smi.path) });
  return smi;
}

const on = (worker: string, kind: string) => ({ deviceSelector: { kind, worker } });

test.each([
  ['a driver that knows no GPU', undefined],
  ['no driver at all', '/nowhere/nvidia-smi'],
])('a machine with %s offers its CPU alone, and nothing is wrong', async (_, path) => {
  const name = path ? 'no-driver' : 'no-card';
  startOn(name, { gpus: [] }, path);
  const devices = await until(
    'its CPU is offered',
    async () => {
      const found = await bench.devicesOf(name);
      return found.some(({ health }) => health === 'OK') ? found : null;
    },
    20_000,
  );
  expect(devices).toMatchObject([{ kind: 'CPU', health: 'OK', healthReason: null, engines: ['wasm'] }]);
  const id = await submitDiagnostic(bench.client, {}, on(name, 'cpu'));
  expect(statusesOf(await watchToEnd(bench.client, id))).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect(await bench.devicesOf(name)).toHaveLength(1);
  // Levels of its log from a warning on.
  expect(made[0]?.worker.output()).not.toMatch(/"level":"?([456]0|warn|error|fatal)/);
});

test('a machine with eight GPUs offers each of them, and eight jobs run at once, each pinned to its own', async () => {
  const uids = Array.from({ length: 8 }, (_, n) => `GPU-8${n}000000-eeee`);
  startOn('eight', {
    gpus: uids.map((uuid, n) => ({ uuid, bus: `00000000:${n}1:00.0`, childMb: 400 })),
  });
  await bench.healthy(...uids);
  const gpus = (await bench.devicesOf('eight')).filter(({ kind }) => kind === 'GPU');
  expect(gpus.map(({ uid }) => uid).sort()).toEqual(uids);

  const ids = await Promise.all(uids.map(() => submitDiagnostic(bench.client, long, on('eight', 'gpu'))));
  const names = await Promise.all(ids.map((id) => bench.running(id)));
  expect(names.sort()).toEqual(uids.map((uid) => [nameOf(uid)]));
  const statuses = await Promise.all(ids.map(async (id) => (await bench.client.job(id))?.status));
  expect(statuses).toEqual(ids.map(() => 'RUNNING'));
  expect(uids.map(pinsOn)).toEqual(uids.map((uid) => [`CUDA_VISIBLE_DEVICES=${uid}`]));
  const holders = (await bench.devicesOf('eight')).filter(({ kind }) => kind === 'GPU');
  expect(holders.flatMap(({ slots }) => slots.map(({ busySince }) => busySince !== null))).toEqual(
    uids.map(() => true),
  );

  await Promise.all(ids.map((id) => bench.client.cancel(id)));
  const ends = await Promise.all(ids.map((id) => watchToEnd(bench.client, id)));
  expect(ends.map((events) => statusesOf(events).at(-1))).toEqual(ids.map(() => 'CANCELLED'));
  await bench.healthy(...uids);
});

test('a job runs on a slice of a GPU, pinned to that slice; the GPU itself is not offered', async () => {
  const uuid = 'GPU-55555555-ffff';
  const slices = [
    { uuid: 'MIG-c6d4f1ef-42e4', profile: '1g.5gb' },
    { uuid: `MIG-${uuid}/7/0`, profile: '3g.20gb' },
  ];
  startOn('sliced', { gpus: [{ uuid, slices }] });
  await bench.healthy(...slices.map((slice) => slice.uuid));
  const offered = (await bench.devicesOf('sliced')).filter(({ kind }) => kind !== 'CPU');
  const kinds = Object.fromEntries(offered.map(({ uid, kind }) => [uid, kind]));
  expect(kinds).toEqual(Object.fromEntries(slices.map((slice) => [slice.uuid, 'MIG'])));
  const ids = await Promise.all(
    slices.map(() => submitDiagnostic(bench.client, { steps: 80, stepMs: 25 }, on('sliced', 'gpu'))),
  );
  const names = await Promise.all(ids.map((id) => bench.running(id)));
  expect(names.flat().sort()).toEqual(slices.map(({ profile }) => `${nameOf(uuid)} MIG ${profile}`));
  expect(slices.map((slice) => pinsOn(slice.uuid))).toEqual(
    slices.map((slice) => [`CUDA_VISIBLE_DEVICES=${slice.uuid}`]),
  );
  const ends = await Promise.all(ids.map((id) => watchToEnd(bench.client, id)));
  for (const events of ends) expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  for (const slice of slices)
    await bench.becomes(slice.uuid, 'OK', /^A slice: what others do on it can not be seen from here\.$/);
});

test('where processes are hidden a job runs and ends clean, and the GPU says that they can not be seen', async () => {
  const uuid = 'GPU-66666666-abab';
  const smi = startOn('hidden', { gpus: [{ uuid, childMb: 400 }], hidesProcesses: true });
  const sentence = /^Processes on it can not be seen from here: use by others shows in its memory alone\.$/;
  await bench.becomes(uuid, 'OK', sentence);
  expect(smi.listed(uuid)).toEqual([]);
  const ids: string[] = [];
  // The second one shows that the first one left nothing that closes the GPU.
  for (let n = 0; n < 2; n++) {
    const id = await submitDiagnostic(bench.client, { steps: 10, stepMs: 25 }, on('hidden', 'gpu'));
    expect(statusesOf(await watchToEnd(bench.client, id))).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
    expect(await bench.device(uuid)).toMatchObject({
      health: 'OK',
      healthReason: expect.stringMatching(sentence),
    });
    ids.push(id);
  }
  for (const id of ids)
    expect(await bench.attemptsOf(id)).toMatchObject([
      { number: 1, outcome: 'SUCCEEDED', devices: [{ name: nameOf(uuid) }] },
    ]);
});
