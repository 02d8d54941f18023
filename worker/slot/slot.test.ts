import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { FixtureRunners } from '../testing/fixture-runners.js';
import { until } from '../testing/until.js';
import { mustReplace, wantsReplacement } from './replacement.js';
import { Slot, type SlotOptions } from './slot.js';

let runners: FixtureRunners;
let slots: Slot[];
beforeEach(() => {
  runners = new FixtureRunners();
  slots = [];
});
afterEach(async () => {
  await Promise.all(slots.map((slot) => slot.close()));
  await runners.close();
});

function openSlot(fixture: string, options: Partial<SlotOptions> = {}): Slot {
  const slot = new Slot({
    uid: 'cpu-test',
    index: 0,
    makeChild: () => runners.start(fixture),
    log: pino({ level: 'silent' }),
    onChange: () => undefined,
    ...options,
  });
  slots.push(slot);
  slot.start();
  return slot;
}

async function acquire(slot: Slot) {
  const warm = await slot.acquire(10_000);
  if (!warm) throw new Error('no child');
  return warm;
}

describe('slot', () => {
  test('gives its one child to one attempt at a time, the same child again', async () => {
    const slot = openSlot('polite');
    const first = await acquire(slot);
    expect(await slot.acquire(50)).toBeNull();
    const second = acquire(slot);
    slot.release(first, null);
    expect((await second).child.pid).toBe(first.child.pid);
  });

  test.each([
    ['that left tensors', { tensors: 3 }, null],
    ['that grew by more than 512 MiB', { rssBytes: 2 ** 40 }, null],
    ['with a fault', {}, 'its engine is broken'],
  ])('replaces a child %s before the next attempt', async (_, use, fault) => {
    const slot = openSlot('polite');
    const first = await acquire(slot);
    Object.assign(first.use, use);
    slot.release(first, fault);
    const second = await acquire(slot);
    expect(second.child.pid).not.toBe(first.child.pid);
    expect(second.use).toMatchObject({ jobs: 0, tensors: 0 });
    expect(first.child.isOver).toBe(true);
  });

  test('starts another child when one dies', async () => {
    const slot = openSlot('polite');
    const first = await acquire(slot);
    first.use.jobs = 1;
    process.kill(first.child.pid, 'SIGKILL');
    await first.child.exited;
    slot.release(first, 'it ended by itself');
    expect((await acquire(slot)).child.pid).not.toBe(first.child.pid);
    expect(slot.health.trouble).toBeNull();
  });

  test('says why when no engine works, and goes on trying', async () => {
    const slot = openSlot('unusable');
    expect(await slot.firstStart).toMatchObject({ type: 'unusable' });
    expect(slot.audit).toMatchObject([{ engine: 'wasm', offered: false }]);
    expect(slot.health.trouble).toMatchObject({
      health: 'UNKNOWN',
      reason: expect.stringContaining('no engine'),
    });
    expect(await slot.acquire(50)).toBeNull();
  });

  test('does not serve by an engine that is not wanted there, says why, and tries again', async () => {
    let isWanted = false;
    const refusalOf = (engine: string) => (isWanted ? null : `it computes with ${engine}`);
    const slot = openSlot('polite', { refusalOf });
    await until(() => slot.health.trouble !== null, 'the trouble');
    expect(slot.health.trouble).toMatchObject({
      health: 'UNKNOWN',
      reason: expect.stringContaining('computes with wasm'),
    });
    isWanted = true;
    expect((await acquire(slot)).engine).toBe('wasm');
    expect(slot.health.trouble).toBeNull();
  });

  test('a child that is to retire works to the end of its attempt, and is not given again', async () => {
    const slot = openSlot('polite');
    const first = await acquire(slot);
    slot.retire('a test');
    expect(first.child.isOver).toBe(false);
    slot.release(first, null);
    expect((await acquire(slot)).child.pid).not.toBe(first.child.pid);
  });

  test('is held until all processes of its child are gone', async () => {
    const slot = openSlot('polite');
    const warm = await acquire(slot);
    const { child } = warm;
    const end = child.end.bind(child);
    // As with processes that the kernel can not end yet.
    let refusals = 3;
    child.end = (...limits) => ((refusals -= 1) >= 0 ? Promise.resolve(false) : end(...limits));
    await slot.hold(warm);
    expect([child.isOver, refusals < 0]).toEqual([true, true]);
    slot.release(warm, null);
    slot.unhold();
  });

  test('has no child while it is parked, and one again after', async () => {
    const slot = openSlot('polite');
    const first = await acquire(slot);
    slot.release(first, null);
    slot.park('a test');
    await until(() => first.child.isOver, 'the child to end');
    expect(await slot.acquire(100)).toBeNull();
    slot.unpark();
    expect((await acquire(slot)).child.pid).not.toBe(first.child.pid);
  });

  test('closes with its child gone, and nobody waits any more', async () => {
    const slot = openSlot('polite');
    const { child } = await acquire(slot);
    const waiting = slot.acquire(60_000);
    await slot.close();
    expect(await waiting).toBeNull();
    expect(child.isOver).toBe(true);
    expect(await slot.acquire(60_000)).toBeNull();
  });
});

test('a child is old after 200 jobs, which waits for a quiet moment, and too old after 1,000', () => {
  const use = { jobs: 199, firstRssBytes: 1, rssBytes: 1, tensors: 0 };
  expect(wantsReplacement(use)).toBe(false);
  expect(wantsReplacement({ ...use, jobs: 200 })).toBe(true);
  expect(mustReplace({ ...use, jobs: 999 })).toBeNull();
  expect(mustReplace({ ...use, jobs: 1_000 })).toMatch(/1000 jobs/);
});
