import { expect, test } from '@jest/globals';
import { estimateStart } from './estimate.js';
import type { DeviceState, QueuedJob, SlotState } from './snapshot.js';

const job = (id: string, over: Partial<QueuedJob> = {}): QueuedJob => ({
  id,
  ownerId: 'usr_a',
  kind: 'diagnostic',
  priority: 50,
  createdAt: 1_000,
  notBefore: null,
  nextAttempt: 1,
  engines: ['wasm'],
  tier: null,
  memoryBytes: 0,
  seenBytes: {},
  devices: 1,
  selector: {},
  ...over,
});

/** A slot that is free, or held by an attempt that ran so long and has so much left. */
const slot = (holder: [ran: number | null, left: number | null] | null, over: Partial<SlotState> = {}) => ({
  attempt: holder && { id: 'x', ownerName: 'Ann', ranSeconds: holder[0], etaSeconds: holder[1] },
  held: false,
  silent: false,
  ...over,
});

const device = (slots: ReturnType<typeof slot>[], over: Partial<DeviceState> = {}): DeviceState => ({
  id: 'dev_a',
  uid: 'a',
  name: 'a',
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
  speed: null,
  health: 'OK',
  healthReason: null,
  slots: slots.map((it, index) => ({ ...it, index })),
  ...over,
});

const estimate = (devices: DeviceState[], ahead: QueuedJob[] = [], mine = job('mine')) =>
  estimateStart({ at: 0, devices, line: [...ahead, mine] }, ahead.length, mine);

test('the first in line waits for the slot that is free first', () => {
  expect(estimate([device([slot([10, 40]), slot([10, 25])])])).toBe(25);
  expect(estimate([device([slot([10, 40]), slot(null)])])).toBe(0);
});

test('each job ahead takes a slot for as long as those that run take on average', () => {
  const devices = [device([slot([10, 20]), slot([50, 40])])]; // 30 s and 90 s in all: 60 s on average
  expect(estimate(devices, [job('a')])).toBe(40);
  expect(estimate(devices, [job('a'), job('b')])).toBe(80);
  expect(estimate(devices, [job('a'), job('b'), job('c')])).toBe(100);
});

test('a job takes as much longer on a device as that was measured to be slower; one that was not measured is an average one', () => {
  // 30 s at 200 are 60 s at 100.
  const [fast, slow] = [
    device([slot([10, 20])], { speed: 200 }),
    device([slot(null)], { id: 'b', speed: 100 }),
  ];
  expect(estimate([fast, slow], [job('a')])).toBe(20);
  expect(estimate([fast, slow], [job('a'), job('b')])).toBe(50);
  expect(estimate([fast, slow], [job('a'), job('b'), job('c')])).toBe(60);
  const unknown = device([slot(null)], { id: 'c' });
  expect(estimate([fast, unknown], [job('a'), job('b'), job('c')])).toBe(50);
  expect(estimate([{ ...fast, speed: null }, unknown], [job('a'), job('b')])).toBe(30);
});

test('a job ahead that wants other devices takes nothing away', () => {
  expect(estimate([device([slot([1, 20])])], [job('a', { engines: ['cuda'] })])).toBe(20);
});

test.each<[string, DeviceState[], QueuedJob[]]>([
  ['nothing that runs says how long it takes', [device([slot([5, null])])], []],
  ['an attempt has only been dispatched', [device([slot([null, null])])], []],
  ['there is no device', [], []],
  ['no device could take it', [device([slot(null)], { engines: ['cuda'] })], []],
  ['its only device is closed', [device([slot([1, 9])], { health: 'DIRTY' })], []],
  ['its only slot is to be swept', [device([slot([1, 9], { held: true })])], []],
  ['free slots are too few and nothing says how long a job takes', [device([slot(null)])], [job('a')]],
  [
    'more are ahead than an estimate bears',
    [device([slot([1, 9])])],
    Array.from({ length: 101 }, (_, n) => job(`j${n}`)),
  ],
])('there is no estimate when %s', (_why, devices, ahead) => {
  expect(estimate(devices, ahead)).toBeNull();
});

test('a job in its back-off starts no sooner than that', () => {
  expect(estimate([device([slot([1, 9])])], [], job('mine', { notBefore: 30_500 }))).toBe(31);
  expect(estimate([device([slot([1, 9])])], [], job('mine', { notBefore: -5_000 }))).toBe(9);
});
