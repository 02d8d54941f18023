import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AttemptsUnderTest } from './attempts-under-test.js';

let attempts: AttemptsUnderTest;
beforeEach(async () => {
  attempts = await AttemptsUnderTest.open();
});
afterEach(() => attempts.close());

/** The child that the next attempt would get. */
async function nextChild() {
  const warm = await attempts.slot.acquire(10_000);
  if (!warm) throw new Error('no child');
  attempts.slot.release(warm, null);
  return warm.child;
}

describe('a child that loaded what a user made', () => {
  test('serves nobody afterwards, and is gone before its end is told', async () => {
    const first = await nextChild();
    await attempts.run('att_1', 'diagnostic');
    expect((await nextChild()).pid).toBe(first.pid);
    expect(await attempts.run('att_2', 'model.predict')).toMatchObject({
      outcome: 'SUCCEEDED',
      deviceClean: true,
    });
    expect(first.isOver).toBe(true);
    const second = await nextChild();
    expect(second.pid).not.toBe(first.pid);
    await attempts.run('att_3', 'diagnostic', { ownerId: 'usr_2' });
    expect((await nextChild()).pid).toBe(second.pid);
  });

  test('also when it was cancelled in the middle of it', async () => {
    const first = await nextChild();
    const end = await attempts.run('att_1', 'model.predict', { params: { forever: true } });
    expect(end).toMatchObject({ outcome: 'CANCELLED', deviceClean: true });
    expect(first.isOver).toBe(true);
    expect((await nextChild()).pid).not.toBe(first.pid);
  });
});
