import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { GpuWatch } from '@gjm/worker/device/gpu-watch.js';
import { NvidiaSmi } from '@gjm/worker/device/nvidia-smi.js';
import { until } from '../support/until.js';
import { StandInSmi, type StandInMachine } from './stand-in.js';

const one = { uuid: 'GPU-11111111-aaaa', bus: '00000000:01:00.0' };
const two = { uuid: 'GPU-22222222-bbbb', bus: '00000000:81:00.0' };
/** A child of the worker, as far as the watch is told. */
const child = 4_100_001;
const stranger = 4_100_002;
/** The child that comes after it. */
const successor = 4_100_004;

let smi: StandInSmi;
let watch: GpuWatch;
/** Devices with a ready child. */
let ready: string[];
let living: number[];
/** The child that is ready there. */
let readyPid: number;

async function open(machine: StandInMachine): Promise<void> {
  smi = new StandInSmi(machine);
  ready = [];
  living = [child];
  readyPid = child;
  watch = new GpuWatch({
    smi: new NvidiaSmi(smi.path, { PATH: '/usr/local/bin:/usr/bin:/bin' }),
    probeMs: 100,
    foreignBytes: 512 * 1024 * 1024,
    diagnosticEngine: null,
    owner: {
      isOurs: (pid) => pid === child || pid === successor,
      isChild: (pid) => living.includes(pid),
      readyChildren: (uid) => (ready.includes(uid) ? [readyPid] : []),
    },
    onChange: () => undefined,
    log: pino({ level: 'silent' }),
  });
  await watch.first();
  for (const { uid } of watch.devices) watch.childReady(uid);
  watch.start();
}
afterEach(async () => {
  await watch.close();
  smi.close();
});

const health = (uid = one.uuid) => watch.healthOf(uid);
const becomes = (state: string, uid = one.uuid) =>
  until(`${uid} is ${state}`, () => (health(uid)?.health === state ? health(uid) : null), 15_000);

async function becomeReady(uid = one.uuid): Promise<void> {
  ready.push(uid);
  watch.childReady(uid);
  await watch.look();
}

/** Processes of the stand-in program that belong to this test. */
const programs = () =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`stand-in-smi.sh\0${smi.folder}\0`);
      } catch {
        return false; // ended meanwhile
      }
    });

describe('what is found', () => {
  test('each GPU by its own id, in whatever order, with what its driver says', async () => {
    const eight = Array.from({ length: 8 }, (_, n) => ({ uuid: `GPU-0${n}`, bus: `00000000:0${n}:00.0` }));
    await open({ gpus: [...eight].reverse() });
    expect(watch.devices.map(({ uid }) => uid).sort()).toEqual(eight.map(({ uuid }) => uuid));
    expect(watch.devices[0]).toMatchObject({
      ...{ kind: 'GPU', slots: 1, engines: 'cuda,webgpu', memoryBytes: 16_000 * 1024 * 1024 },
      pin: { CUDA_VISIBLE_DEVICES: 'GPU-07', CUDA_DEVICE_ORDER: 'PCI_BUS_ID' },
      labels: { driver: '999.1', computeCapability: '9.0' },
    });
    expect(health('GPU-03')).toMatchObject({
      health: 'OK',
      telemetry: {
        utilisation: 0,
        memoryUsedBytes: 10 * 1024 * 1024,
        temperatureCelsius: 40,
        powerWatts: 50,
      },
    });
  });

  test('slices instead of the GPU that they are parts of, by either form of their ids', async () => {
    const slices = [
      { uuid: 'MIG-c6d4f1ef-42e4', profile: '1g.5gb' },
      { uuid: `MIG-${one.uuid}/7/0`, profile: '3g.20gb' },
    ];
    await open({ gpus: [{ ...one, slices }, two] });
    expect(watch.devices.map(({ uid, kind, pin }) => [uid, kind, pin['CUDA_VISIBLE_DEVICES']])).toEqual([
      ['MIG-c6d4f1ef-42e4', 'MIG', 'MIG-c6d4f1ef-42e4'],
      [`MIG-${one.uuid}/7/0`, 'MIG', `MIG-${one.uuid}/7/0`],
      [two.uuid, 'GPU', two.uuid],
    ]);
    expect(watch.devices[1]?.memoryBytes).toBe(20 * 1024 ** 3);
    expect(health('MIG-c6d4f1ef-42e4')).toMatchObject({ health: 'OK', telemetry: { utilisation: null } });
  });

  test.each(['[N/A]', '[Not Supported]', 'ERR!', '[Unknown Error]', ''])(
    'a GPU of which everything else is %p, among lines that are nothing',
    async (everyCell) => {
      const noise = ['WARNING: infoROM is corrupted', 'éß \u0000', ',,,,'];
      await open({ gpus: [{ ...one, everyCell }, two], noise });
      expect(watch.devices.map(({ uid }) => uid)).toEqual([one.uuid, two.uuid]);
      expect(health()).toMatchObject({
        health: 'OK',
        telemetry: { utilisation: null, memoryUsedBytes: null },
      });
      expect(health(two.uuid)?.telemetry?.powerWatts).toBe(50);
    },
  );

  test('the same with a driver that knows fewer columns', async () => {
    await open({ gpus: [one], unknownColumns: ['compute_cap', 'power.draw'] });
    expect(watch.devices[0]).toMatchObject({ uid: one.uuid, memoryBytes: 16_000 * 1024 * 1024, labels: {} });
    expect(health()).toMatchObject({ health: 'OK', telemetry: { powerWatts: null } });
  });

  test('nothing with a broken driver, and the GPU once that works; a second one when it comes', async () => {
    await open({ gpus: [one], exit: { code: 9, lines: ['NVIDIA-SMI has failed'] } });
    expect(watch.devices).toEqual([]);
    smi.set({ exit: undefined });
    await until('the GPU is found', () => watch.devices.length === 1);
    smi.set({ gpus: [one, two] });
    await until('the second is found', () => watch.devices.length === 2);
  });
});

describe('health', () => {
  test('a hanging program makes a GPU unknown, is never there twice, and is forgotten when it answers again', async () => {
    await open({ gpus: [one] });
    smi.set({ hangs: true });
    expect((await becomes('UNKNOWN'))?.healthReason).toMatch(/can not be asked: nvidia-smi .*s\.$/);
    expect(programs().length).toBeLessThanOrEqual(1);
    smi.set({ hangs: false });
    await becomes('OK');
  });

  test.each<[how: string, harm: () => void, reason: string]>([
    [
      'lost by its own word',
      () => smi.setGpu(one.uuid, { cells: { 'utilization.gpu': '[GPU is lost]' } }),
      'The driver says that it has lost this GPU; it may need a reset.',
    ],
    [
      'off the bus',
      () => smi.setGpu(one.uuid, { isOffBus: true }),
      'The driver says that it has lost this GPU; it may need a reset.',
    ],
    ['vanished', () => smi.set({ gpus: [two] }), 'It has vanished from this machine.'],
  ])(
    '%s: that is told, the others go on, and it must prove itself when it is back',
    async (_, harm, reason) => {
      await open({ gpus: [one, two] });
      expect(health()).toMatchObject({ health: 'OK', healthReason: null });
      harm();
      expect(await becomes('LOST')).toEqual({ health: 'LOST', healthReason: reason, telemetry: null });
      expect(watch.lossOf(one.uuid)).toBe(reason);
      expect([watch.lossOf(two.uuid), health(two.uuid)?.health]).toEqual([null, 'OK']);
      smi.set({ gpus: [one, two] });
      expect((await becomes('UNKNOWN'))?.healthReason).toBe('Its self-test is not through yet.');
      await becomeReady();
      await becomes('OK');
      expect([watch.lossOf(one.uuid), health(two.uuid)?.health]).toEqual([null, 'OK']);
    },
  );

  test('all vanished: each is told, though the program then ends with a fault', async () => {
    await open({ gpus: [one, two] });
    smi.set({ gpus: [] });
    for (const { uuid } of [one, two])
      expect((await becomes('LOST', uuid))?.healthReason).toBe('It has vanished from this machine.');
  });

  test('processes of others close it while they are there; those that were there before do not', async () => {
    await open({ gpus: [{ ...one, processes: [{ pid: 4_100_003, mb: 9_000 }] }] });
    const early = { pid: 4_100_003, mb: 9_000 };
    const own = { pid: child, mb: 400 };
    smi.setGpu(one.uuid, { processes: [early, own] });
    await becomeReady();
    expect(health()).toMatchObject({ health: 'OK', healthReason: null });
    smi.setGpu(one.uuid, { processes: [early, own, { pid: stranger, mb: 100 }] });
    await watch.look();
    expect(health()?.health).toBe('OK');
    smi.setGpu(one.uuid, { processes: [early, own, { pid: stranger, mb: 3_000 }] });
    expect((await becomes('BUSY_ELSEWHERE'))?.healthReason).toBe(
      `Others use it: process ${stranger} with 3.1 GB.`,
    );
    smi.setGpu(one.uuid, { processes: [own] });
    await becomes('OK');
  });

  test('where processes can not be seen, memory alone tells, and that is said', async () => {
    await open({ gpus: [{ ...one, usedMb: 400 }], hidesProcesses: true });
    await becomeReady();
    expect(health()).toMatchObject({ health: 'OK', healthReason: expect.stringMatching(/can not be seen/) });
    smi.setGpu(one.uuid, { usedMb: 3_000 });
    expect((await becomes('BUSY_ELSEWHERE'))?.healthReason).toMatch(/2\.7 GB more are in use than at rest/);
    smi.setGpu(one.uuid, { usedMb: 450 });
    await becomes('OK');
  });
});

describe('an attempt', () => {
  test('is told what it took, and that it left the GPU clean', async () => {
    await open({ gpus: [{ ...one, processes: [{ pid: child, mb: 400 }] }] });
    await becomeReady();
    const use = watch.use([one.uuid, 'cpu-1']);
    smi.setGpu(one.uuid, { processes: [{ pid: child, mb: 2_400 }], utilisation: 80, watts: 250 });
    await until('it is seen', () => (use.usage()?.peakMemoryBytes ?? 0) > 0);
    expect(await use.proveClean(0)).toBeNull();
    expect(use.usage()).toMatchObject({ peakMemoryBytes: 2_000 * 1024 * 1024, isEstimate: false });
    expect(use.usage()?.peakUtilisation).toBe(0.8);
    expect(use.usage()?.joules).toBeGreaterThan(0);
    use.end(true);
    expect(health()?.health).toBe('OK');
    expect(watch.use(['cpu-1']).usage()).toBeNull();
  });

  test('that leaves a process makes the GPU dirty until that is gone', async () => {
    await open({ gpus: [{ ...one, processes: [{ pid: child, mb: 400 }] }] });
    await becomeReady();
    const use = watch.use([one.uuid]);
    living = [];
    expect(await use.proveClean(0)).toBe(`Process ${child} of an ended attempt still holds it.`);
    use.end(false);
    expect(health()).toMatchObject({ health: 'DIRTY' });
    smi.setGpu(one.uuid, { processes: [] });
    await becomes('OK');
  });

  test('that leaves memory without a process makes the GPU dirty until that is back', async () => {
    await open({ gpus: [{ ...one, usedMb: 400 }], hidesProcesses: true });
    await becomeReady();
    const use = watch.use([one.uuid]);
    smi.setGpu(one.uuid, { usedMb: 2_400 });
    expect(await use.proveClean(0)).toMatch(/2\.1 GB of its memory are still in use/);
    use.end(false);
    expect(health()).toMatchObject({ health: 'DIRTY' });
    smi.setGpu(one.uuid, { usedMb: 420 });
    await becomes('OK');
  });

  test.each([true, false])(
    'in which a stranger began to use the GPU: once a child of ours is ready again, that is use by others (pids hidden: %s)',
    async (hidesProcesses) => {
      const used = (usedMb: number, pid = child) => ({
        usedMb,
        processes: hidesProcesses ? [] : [{ pid, mb: 400 }],
      });
      await open({ gpus: [{ ...one, ...used(400) }], hidesProcesses });
      await becomeReady();
      const use = watch.use([one.uuid]);
      smi.setGpu(one.uuid, used(2_400));
      await use.proveClean(0);
      ready = [];
      use.end(false);
      await watch.look();
      expect(health()).toMatchObject({ health: 'DIRTY' });
      smi.setGpu(one.uuid, used(2_400, successor));
      [living, ready, readyPid] = [[successor], [one.uuid], successor];
      await becomes(hidesProcesses ? 'BUSY_ELSEWHERE' : 'OK');
      smi.setGpu(one.uuid, used(420, successor));
      await becomes('OK');
    },
  );

  test('whose GPU can not be asked afterwards is called neither clean nor dirty by what was seen before', async () => {
    await open({ gpus: [{ ...one, processes: [{ pid: child, mb: 400 }] }] });
    await becomeReady();
    const use = watch.use([one.uuid]);
    smi.set({ hangs: true });
    await becomes('UNKNOWN');
    [living, ready] = [[], []];
    expect(await use.proveClean(0)).toMatch(/could not be checked/);
    use.end(false);
    expect(health()).toMatchObject({ health: 'UNKNOWN', healthReason: expect.stringMatching(/^It can not/) });
    smi.set({ hangs: false });
    expect((await becomes('DIRTY'))?.healthReason).toMatch(/still holds it\.$/);
    smi.setGpu(one.uuid, { processes: [] });
    await becomes('OK');
  });
});
