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
    explainWaiting(pictureOf(snapshot), snapshot.jobs[0]!, defaultPolicy).reasons.map(
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
  const waiting = explainWaiting(pictureOf(snapshot), snapshot.jobs[1]!, defaultPolicy);
  expect(waiting.position).toBe(2);
  expect(waiting.reasons.map((reason) => reason.message)).toContain('1 job is ahead in line.');
});

test('why a device is closed is one sentence, and what only can not be known of it closes nothing', () => {
  const reasonOf = (over: Partial<DeviceState>) => {
    const snapshot: Snapshot = { at: 1, jobs: [job('a')], devices: [device('card', 1, over)] };
    return explainWaiting(pictureOf(snapshot), snapshot.jobs[0]!, defaultPolicy).reasons[0]?.message;
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
  expect(explainWaiting(pictureOf(snapshot), snapshot.jobs[0]!, defaultPolicy).reasons).toMatchObject([
    { code: 'NO_ENGINE', message: 'box is not set up to run image.upscale/thick.' },
  ]);
  snapshot.devices[0]!.runs = ['image.upscale/thick'];
  expect(schedule(snapshot, defaultPolicy)).toHaveLength(1);
});

const gpu = (id: string, over: Partial<DeviceState> = {}) =>
  device(id, 1, { kind: 'GPU', engines: ['cuda'], ...over });

test('a CPU takes a job only when no GPU could, or once the job has waited long enough', () => {
  const busy = gpu('card', { slots: [{ index: 0, attempt: ann, held: false, silent: false }] });
  const young = job('a', { createdAt: 10_000 });
  const old = job('a', { createdAt: 10_000 - defaultPolicy.fallbackAfterMs });
  expect(place([young], [device('cpu', 1), busy])).toEqual([]);
  expect(place([old], [device('cpu', 1), busy])).toEqual(['a@cpu/0']);
  expect(place([young], [device('cpu', 1), gpu('card', { engines: [] })])).toEqual(['a@cpu/0']);
  expect(place([young], [device('cpu', 1), gpu('card', { health: 'LOST' })])).toEqual(['a@cpu/0']);
  expect(place([young], [device('cpu', 1), gpu('card')])).toEqual(['a@card/0']);
});

test('several devices come from one worker, all or none, and what they take is gone for those behind', () => {
  const devices = [
    gpu('a0', { workerId: 'wrk_a' }),
    gpu('b0', { workerId: 'wrk_b' }),
    gpu('b1', { workerId: 'wrk_b' }),
  ];
  const pair = job('pair', { devices: 2, createdAt: 1 });
  expect(place([pair, job('one', { createdAt: 2 })], devices)).toEqual(['pair@b0/0+b1/0', 'one@a0/0']);
  expect(place([job('many', { devices: 3 })], devices)).toEqual([]);
});

test('what was seen counts more than what the plan says', () => {
  const needy = job('a', { memoryBytes: 1e9, seenBytes: { cuda: 20e9 } });
  const cards = [gpu('small', { memoryFreeBytes: 16e9 }), gpu('large', { memoryFreeBytes: 40e9 })];
  expect(place([needy], cards)).toEqual(['a@large/0']);
});

test('of GPUs that do equally well the smaller one is taken', () => {
  const cards = [gpu('large', { memoryBytes: 80e9 }), gpu('small', { memoryBytes: 24e9 })];
  expect(place([job('a')], cards)).toEqual(['a@small/0']);
});
