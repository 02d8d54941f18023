import { expect, test } from '@jest/globals';
import { isNewLook, lookOf } from './device-look.js';
import type { DeviceRecord, SlotRecord } from './records.js';

const device = (slot: Partial<SlotRecord>, over: Partial<DeviceRecord> = {}): DeviceRecord => ({
  id: 'dev_a',
  workerId: 'wrk_a',
  uid: 'a',
  name: 'a',
  kind: 'GPU',
  engines: ['cuda'],
  health: 'OK',
  healthReason: null,
  memoryBytes: 1,
  drainedAt: null,
  drainedUntil: null,
  drainReason: null,
  runs: null,
  engineAudit: [],
  telemetry: null,
  benchmark: null,
  memoryFreeBytes: 1,
  slots: [{ index: 0, holderName: 'Ann', busySince: new Date(0), etaSeconds: null, ...slot }],
  ...over,
});
const before = lookOf(device({ etaSeconds: 600 }), 0);

test.each<[string, DeviceRecord, number, boolean]>([
  ['an estimate that counts down with the time', device({ etaSeconds: 540 }), 60_000, false],
  ['an estimate that moved by less than a tenth', device({ etaSeconds: 580 }), 60_000, false],
  ['an estimate that moved by more', device({ etaSeconds: 640 }), 60_000, true],
  ['an estimate that is no longer known', device({ etaSeconds: null }), 60_000, true],
  ['another holder', device({ etaSeconds: 600, holderName: 'Bob' }), 0, true],
  ['another health', device({ etaSeconds: 600 }, { health: 'DIRTY' }), 0, true],
])('%s', (_what, after, now, isNew) => {
  expect(isNewLook(before, lookOf(after, now), now)).toBe(isNew);
});

test('near the end seconds do not count', () => {
  const near = lookOf(device({ etaSeconds: 3 }), 0);
  expect(isNewLook(near, lookOf(device({ etaSeconds: 8 }), 0), 0)).toBe(false);
  expect(isNewLook(near, lookOf(device({ etaSeconds: 14 }), 0), 0)).toBe(true);
});

test('a device that was not seen before is new', () => {
  expect(isNewLook(undefined, before, 0)).toBe(true);
});
