import { expect, test } from '@jest/globals';
import { defaultPolicy } from '../policy/policy.js';
import { schedule } from './schedule.js';
import type { DeviceState, QueuedJob, Snapshot } from './snapshot.js';
import { explainWaiting, pictureOf } from './waiting.js';

const job = (id: string, over: Partial<QueuedJob> = {}): QueuedJob => ({
  id,
  ownerId: 'usr_a',
  kind: 'diagnostic',
  priority: 50,
  createdAt: 1_000,
  notBefore: null,
  nextAttempt: 1,
  engines: ['cuda', 'wasm'],
  tier: null,
  memoryBytes: 0,
  seenBytes: {},
  devices: 1,
  selector: {},
  ...over,
});

const device = (id: string, slots: number, over: Partial<DeviceState> = {}): DeviceState => ({
  id,
  uid: id,
  name: id,
  kind: 'CPU',
  workerId: 'wrk_a',
  workerName: 'box',
  online: true,
  draining: false,
  engines: ['wasm'],
  runs: null,
  labels: {},
  memoryBytes: 8e9,
  speed: null,
  memoryFreeBytes: 8e9,
  health: 'OK',
  healthReason: null,
  slots: Array.from({ length: slots }, (_, index) => ({ index, attempt: null, held: false, silent: false })),
  ...over,
});

/** Somebody who has a slot. */
const ann = { id: 'x', ownerName: 'Ann', ranSeconds: null, etaSeconds: null };

const place = (jobs: QueuedJob[], devices: DeviceState[], at = 10_000) =>
  schedule({ at, jobs, devices }, defaultPolicy).map(
    (it) => `${it.jobId}@${it.slots.map(({ deviceId, slotIndex }) => `${deviceId}/${slotIndex}`).join('+')}`,
  );

test('higher priority goes first, then older, and nothing is placed beyond the free slots', () => {
  const jobs = [
    job('new', { createdAt: 3 }),
    job('old', { createdAt: 1 }),
    job('urgent', { priority: 90, createdAt: 9 }),
  ];
  expect(place(jobs, [device('cpu', 2)])).toEqual(['urgent@cpu/0', 'old@cpu/1']);
});

test('a job in its back-off is passed over, and placed once the time has come', () => {
  const jobs = [job('a', { notBefore: 20_000 }), job('b')];
  expect(place(jobs, [device('cpu', 1)])).toEqual(['b@cpu/0']);
  expect(place([jobs[0]!], [device('cpu', 1)], 20_000)).toEqual(['a@cpu/0']);
});

test.each<[string, Partial<DeviceState>, Partial<QueuedJob>, string]>([
  ['an offline worker', { online: false }, {}, 'NO_WORKER'],
  ['a draining worker', { draining: true }, {}, 'DEVICE_UNHEALTHY'],
  ['a dirty device', { health: 'DIRTY' }, {}, 'DEVICE_UNHEALTHY'],
  [
    'a slot that is to be swept',
    { slots: [{ index: 0, attempt: null, held: true, silent: false }] },
    {},
    'DEVICE_UNHEALTHY',
  ],
  [
    'a slot that does not answer',
    { slots: [{ index: 0, attempt: null, held: false, silent: true }] },
    {},
    'DEVICE_UNHEALTHY',
  ],
  ['a taken slot', { slots: [{ index: 0, attempt: ann, held: false, silent: false }] }, {}, 'DEVICE_BUSY'],
  ['no engine in common', {}, { engines: ['cuda'] }, 'NO_ENGINE'],
  ['too little memory', { memoryFreeBytes: 1e9 }, { memoryBytes: 2e9 }, 'NO_MEMORY'],
  ['another device kind', {}, { selector: { kind: 'gpu' } }, 'SELECTOR'],
  ['a missing label', {}, { selector: { labels: { room: 'b' } } }, 'SELECTOR'],
])('%s takes nothing and says why', (_name, deviceOver, jobOver, code) => {
  const snapshot: Snapshot = { at: 1, jobs: [job('a', jobOver)], devices: [device('cpu', 1, deviceOver)] };
  expect(schedule(snapshot, defaultPolicy)).toEqual([]);
  expect(
    explainWaiting(pictureOf(snapshot, defaultPolicy), snapshot.jobs[0]!, defaultPolicy).reasons.map(
      (reason) => reason.code,
    ),
  ).toContain(code);
});

test('memory given to one job is gone for the next', () => {
  const jobs = [job('a', { memoryBytes: 5e9 }), job('b', { memoryBytes: 5e9 })];
  expect(place(jobs, [device('cpu', 4)])).toEqual(['a@cpu/0']);
});

test('a better engine wins over a freer device', () => {
  const gpu = device('gpu', 2, {
    kind: 'GPU',
    engines: ['cuda'],
    slots: [
      { index: 0, attempt: ann, held: false, silent: false },
      { index: 1, attempt: null, held: false, silent: false },
    ],
  });
  expect(place([job('a')], [device('cpu', 8), gpu])).toEqual(['a@gpu/1']);
});

test('place in line and the number ahead are told', () => {
  const snapshot = {
    at: 1,
    jobs: [job('a', { createdAt: 1 }), job('b', { createdAt: 2 })],
    devices: [device('cpu', 1)],
  };
  const waiting = explainWaiting(pictureOf(snapshot, defaultPolicy), snapshot.jobs[1]!, defaultPolicy);
  expect(waiting.position).toBe(2);
  expect(waiting.reasons.map((reason) => reason.message)).toContain('1 job is ahead in line.');
});

test('why a device is closed is one sentence, and what only can not be known of it closes nothing', () => {
  const reasonOf = (over: Partial<DeviceState>) => {
    const snapshot: Snapshot = { at: 1, jobs: [job('a')], devices: [device('card', 1, over)] };
    return explainWaiting(pictureOf(snapshot, defaultPolicy), snapshot.jobs[0]!, defaultPolicy).reasons[0]
      ?.message;
  };
  expect(reasonOf({ health: 'DIRTY', healthReason: 'Process 7 still holds it.' })).toBe(
    'card is closed: Process 7 still holds it.',
  );
  expect(
    reasonOf({
      healthReason: 'Processes on it can not be seen from here.',
      slots: [{ index: 0, attempt: null, held: true, silent: false }],
    }),
  ).toBe('card is closed: it waits to be swept or does not answer.');
});

test('a device whose worker is not set up for a tier does not take it', () => {
  const snapshot: Snapshot = {
    at: 1,
    jobs: [job('a', { kind: 'image.upscale', tier: 'thick' })],
    devices: [device('cpu', 1, { runs: ['image.upscale/slim'] })],
  };
  expect(schedule(snapshot, defaultPolicy)).toEqual([]);
  expect(
    explainWaiting(pictureOf(snapshot, defaultPolicy), snapshot.jobs[0]!, defaultPolicy).reasons,
  ).toMatchObject([{ code: 'NO_ENGINE', message: 'box is not set up to run image.upscale/thick.' }]);
  snapshot.devices[0]!.runs = ['image.upscale/thick'];
  expect(schedule(snapshot, defaultPolicy)).toHaveLength(1);
});

const gpu = (id: string, over: Partial<DeviceState> = {}) =>
  device(id, 1, { kind: 'GPU', engines: ['cuda'], ...over });

const taken = { slots: [{ index: 0, attempt: ann, held: false, silent: false }] };

test('a CPU takes a job only when no GPU could, or once the job has waited long enough', () => {
  const busy = gpu('card', taken);
  const young = job('a', { createdAt: 10_000 });
  const old = job('a', { createdAt: 10_000 - defaultPolicy.fallbackAfterMs });
  expect(place([young], [device('cpu', 1), busy])).toEqual([]);
  expect(place([old], [device('cpu', 1), busy])).toEqual(['a@cpu/0']);
  for (const moment of [{ online: false }, { health: 'UNKNOWN' }])
    expect(place([young], [device('cpu', 1), gpu('card', moment)])).toEqual([]);
  for (const never of [{ engines: [] }, { health: 'LOST' }, { draining: true }])
    expect(place([young], [device('cpu', 1), gpu('card', never)])).toEqual(['a@cpu/0']);
  expect(place([young], [device('cpu', 1), gpu('card')])).toEqual(['a@card/0']);
});

test('several devices are of one sort and one worker, all or none; what they take is gone for those behind', () => {
  const devices = [
    gpu('a0', { workerId: 'wrk_a' }),
    gpu('b0', { workerId: 'wrk_b' }),
    gpu('b1', { workerId: 'wrk_b' }),
  ];
  const pair = job('pair', { devices: 2, createdAt: 1 });
  expect(place([pair, job('one', { createdAt: 2 })], devices)).toEqual(['pair@b0/0+b1/0', 'one@a0/0']);
  expect(place([job('many', { devices: 3 })], devices)).toEqual([]);
  expect(place([pair], [gpu('a0'), device('cpu', 1)], 1e9)).toEqual([]);
  expect(place([pair], [gpu('m0', { kind: 'MIG' }), gpu('m1', { kind: 'MIG' })])).toEqual([]);
});

test('why several devices do not come together is told, and no time that would be a guess', () => {
  const explain = (devices: DeviceState[]) => {
    const snapshot: Snapshot = { at: 10_000, jobs: [job('pair', { devices: 2 })], devices };
    return explainWaiting(pictureOf(snapshot, defaultPolicy), snapshot.jobs[0]!, defaultPolicy);
  };
  expect(explain([gpu('a0'), gpu('b0', { workerId: 'wrk_b' })])).toMatchObject({
    etaSeconds: null,
    reasons: [
      {
        code: 'NO_WORKER',
        message: 'No worker has 2 devices of one sort that could take it; box has 1.',
      },
    ],
  });
  expect(explain([gpu('a0'), gpu('a1', taken)]).reasons.map(({ message }) => message)).toContain(
    'It needs 2 devices of one worker at once; 1 of 2 are free on box.',
  );
});

test('devices are kept for a job that has waited long for several at once', () => {
  const devices = [gpu('a0'), gpu('a1', taken)];
  const later = job('one', { createdAt: 5_000_000 });
  const at = 5_000_000 + 1_000;
  const young = job('pair', { devices: 2, createdAt: at - 1_000 - defaultPolicy.reserveAfterMs / 2 });
  const old = job('pair', { devices: 2, createdAt: at - defaultPolicy.reserveAfterMs });
  expect(place([young, later], devices, at)).toEqual(['one@a0/0']);
  expect(place([old, later], devices, at)).toEqual([]);
  const snapshot: Snapshot = { at, jobs: [old, later], devices };
  const waiting = explainWaiting(pictureOf(snapshot, defaultPolicy), later, defaultPolicy);
  expect(waiting.reasons.map(({ code }) => code)).toContain('RESERVED_FOR_OTHER');
  expect(place([old, later], [gpu('a0'), gpu('a1'), gpu('c0', { workerId: 'wrk_c' })], at)).toEqual([
    'pair@a0/0+a1/0',
    'one@c0/0',
  ]);
});

test('memory that jobs behind would take again and again is kept for a job that has waited long for it', () => {
  const cpu = device('cpu', 4, { memoryFreeBytes: 2e9 });
  const at = 5_000_000;
  const big = job('big', { memoryBytes: 4e9, createdAt: at - defaultPolicy.reserveAfterMs });
  const small = job('small', { memoryBytes: 1e9, createdAt: at });
  expect(place([{ ...big, createdAt: at - 1 }, small], [cpu], at)).toEqual(['small@cpu/0']);
  expect(place([big, small], [cpu], at)).toEqual([]);
  expect(place([big, small], [{ ...cpu, memoryFreeBytes: 6e9 }], at)).toEqual(['big@cpu/0', 'small@cpu/1']);
});

test('what was seen counts more than what the plan says, up to what a device has', () => {
  const needy = job('a', { memoryBytes: 1e9, seenBytes: { cuda: 20e9 } });
  const small = gpu('small', { memoryBytes: 24e9, memoryFreeBytes: 16e9 });
  const large = gpu('large', { memoryBytes: 80e9, memoryFreeBytes: 40e9 });
  expect(place([needy], [small, large])).toEqual(['a@large/0']);
  expect(place([needy], [{ ...small, memoryBytes: 16e9 }])).toEqual(['a@small/0']);
});

test('of GPUs that do equally well the smaller one is taken', () => {
  const cards = [gpu('large', { memoryBytes: 80e9 }), gpu('small', { memoryBytes: 24e9 })];
  expect(place([job('a')], cards)).toEqual(['a@small/0']);
});
