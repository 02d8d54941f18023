import { afterEach, describe, expect, test } from '@jest/globals';
import { RunningClock } from '../running-clock.js';
import { pause } from '../wait.js';
import { until } from '../testing/until.js';
import { Deadline } from './deadline.js';

/** Blocks this process' only thread: to its timers it looks exactly as if it had been stopped. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('deadline', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const thing of open.splice(0)) thing.close();
  });

  function start(afterMs: number, hear: () => Promise<void> = async () => undefined) {
    const clock = new RunningClock();
    const events: string[] = [];
    const deadline = new Deadline({
      clock,
      afterMs,
      hear: async () => {
        events.push('heard');
        await hear();
      },
      expire: () => events.push('expired'),
    });
    open.push(deadline, clock);
    return { deadline, events, clock };
  }

  test('expires once its time has run', async () => {
    const { events } = start(50);
    await until(() => events.length > 0, 'the end');
    expect(events).toEqual(['expired']);
  });

  test('a process that was stopped hears the server first, and the stopped time is not counted', async () => {
    const { events, clock } = start(800);
    const began = performance.now();
    standStill(2_500);
    await until(() => events.length > 0, 'the late timer');
    expect(events).toEqual(['heard']);
    expect(clock.nowMs()).toBeLessThan(800);
    await until(() => events.includes('expired'), 'the end');
    expect(performance.now() - began).toBeGreaterThan(2_500 + 400);
  });

  test('an attempt that the server took away meanwhile is not judged', async () => {
    const opened = start(50, async () => opened.deadline.close());
    standStill(2_500);
    await until(() => opened.events.length > 0, 'the late timer');
    await pause(100);
    expect(opened.events).toEqual(['heard']);
  });
});
