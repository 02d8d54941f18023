import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { GpuRecord } from '../device/gpu-record.js';
import { GpuUse } from '../device/gpu-use.js';
import { columnLists, readGpuRows } from '../device/smi-rows.js';
import { until } from '../testing/until.js';
import { AttemptsUnderTest } from './attempts-under-test.js';

let attempts: AttemptsUnderTest;
beforeEach(async () => {
  attempts = await AttemptsUnderTest.open();
});
afterEach(() => attempts.close());

const device = {
  uid: 'GPU-a',
  name: 'a',
  kind: 'GPU',
  slots: 1,
  engines: 'wasm',
  memoryBytes: null,
} as const;
const owner = { isOurs: () => false, isChild: () => false, readyChildren: () => [] };

/** One GPU of which its driver says these MiB. */
function watched(usedMb: string) {
  const record = new GpuRecord({ ...device, labels: {}, pin: {}, freeBytes: () => null }, 'GPU-a', 0);
  const say = (mb: string) =>
    record.see(readGpuRows([`GPU-a, a, 0000:01:00.0, 100, ${mb}`], columnLists[2]!).rows[0]!);
  say(usedMb);
  return { record, say };
}

describe('what is measured never keeps the end of an attempt from the server', () => {
  test('figures that can not be: the end is told without them', async () => {
    const { record, say } = watched('10');
    attempts.context.useDevices = () => {
      const use = new GpuUse({
        ...{ records: [record], owner },
        look: async () => true,
        onEnd: () => undefined,
      });
      say('99999999999999999999');
      use.see();
      say('10');
      return use;
    };
    const end = await attempts.run('att_1', 'diagnostic');
    expect(end).toMatchObject({ outcome: 'SUCCEEDED', usage: null, deviceClean: true });
  });

  test('a look that fails: the device is not called clean', async () => {
    const { record } = watched('10');
    const look = () => Promise.reject(new Error('on purpose'));
    attempts.context.useDevices = () =>
      new GpuUse({ ...{ records: [record], owner }, look, onEnd: () => undefined });
    const end = await attempts.run('att_1', 'diagnostic');
    expect(end).toMatchObject({ outcome: 'SUCCEEDED', deviceClean: false });
    expect(record.health(null).health).toBe('UNKNOWN');
  });
});

test('an attempt for an engine that its device has no more is given back, and counts as nothing', async () => {
  const end = await attempts.run('att_1', 'diagnostic', { engine: 'cuda' });
  expect(end).toMatchObject({ outcome: 'RELEASED', failure: null, deviceClean: true });
  expect(end.reason).toMatch(/computes with wasm by now, not with cuda/);
});

test('an attempt whose runner is still starting is named in beats until that is there', async () => {
  const { slot, context } = attempts;
  const warm = await slot.acquire(10_000);
  const run = attempts.run('att_1', 'diagnostic');
  await until(() => context.waiting.has('att_1'), 'the attempt to wait');
  slot.release(warm!, 'a test');
  expect(await run).toMatchObject({ outcome: 'SUCCEEDED' });
  expect(context.waiting.size).toBe(0);
});
