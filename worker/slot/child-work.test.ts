import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FixtureRunners, startMessage } from '../testing/fixture-runners.js';
import { isGroupAlive } from '../child/process-group.js';
import { Reporter } from '../report/reporter.js';
import type { NewReportItem } from '../report/report-item.js';
import { RunningClock } from '../running-clock.js';
import { pause } from '../wait.js';
import { ChildWork, type StopReason } from './child-work.js';
import { endingOf } from './ending.js';

let runners: FixtureRunners;
let clock: RunningClock;
beforeEach(() => {
  runners = new FixtureRunners();
  clock = new RunningClock();
});
afterEach(async () => {
  clock.close();
  await runners.close();
});

async function work(fixture: string, stop: StopReason | null, { runMs = 60_000, params = {} } = {}) {
  const child = runners.start(fixture);
  await child.started;
  const items: NewReportItem[] = [];
  const reporter = new Reporter(runners.folder, (more) => items.push(...more));
  const onTimeout = () => job.stop('timeout');
  const hear = async () => undefined;
  const onCheckpoint = () => undefined;
  const job: ChildWork = new ChildWork({
    child,
    reporter,
    clock,
    runMs,
    graceMs: 300,
    hear,
    onTimeout,
    onCheckpoint,
  });
  const running = job.run(startMessage(params));
  if (stop) {
    await pause(150); // the child is in the middle of it
    job.stop(stop);
  }
  const end = await running;
  items.push(...reporter.end());
  const ending = endingOf(end, runMs, reporter.lastLine);
  reporter.close();
  return { child, end, ending, items };
}

describe('work of one attempt', () => {
  test('ends with the runner alive when it stops as asked', async () => {
    const { child, end, ending } = await work('polite', 'cancel', { params: { forever: true } });
    expect(end).toMatchObject({ verdict: { type: 'stopped' }, isForced: false, isGroupGone: true });
    expect(ending).toMatchObject({ outcome: 'CANCELLED', reason: expect.stringContaining('cooperative') });
    expect(isGroupAlive(child.pid)).toBe(true);
  });

  test.each(['hang', 'stubborn'])('of a %s runner is ended by force after the grace', async (fixture) => {
    const { child, ending } = await work(fixture, 'cancel');
    expect(ending).toMatchObject({ outcome: 'CANCELLED', reason: expect.stringContaining('by force') });
    expect(isGroupAlive(child.pid)).toBe(false);
  });

  test('that runs out of time is a TIMEOUT, however it ended', async () => {
    const hard = await work('hang', null, { runMs: 200 });
    expect(hard.ending).toMatchObject({ outcome: 'FAILED', failure: { code: 'TIMEOUT' } });
    const soft = await work('polite', null, { runMs: 200, params: { forever: true } });
    expect(soft.ending).toMatchObject({ outcome: 'FAILED', failure: { code: 'TIMEOUT' } });
    expect(soft.end.isForced).toBe(false);
  });

  test('that belongs to nobody any more is ended at once and not reported', async () => {
    const began = performance.now();
    const { child, ending } = await work('stubborn', 'lost');
    expect(ending).toBeNull();
    expect(isGroupAlive(child.pid)).toBe(false);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('that is released says so', async () => {
    const { ending } = await work('polite', 'release', { params: { forever: true } });
    expect(ending).toMatchObject({ outcome: 'RELEASED' });
  });

  test('whose runner dies names the signal, and has all lines that were written', async () => {
    const { ending, items } = await work('crash', null);
    expect(ending).toMatchObject({ outcome: 'FAILED', failure: { code: 'RUNNER_CRASHED' } });
    expect(ending?.failure?.message).toMatch(/SIGKILL.*Its last line was: END/s);
    const text = items.map((item) => (item.type === 'log' ? item.text : '')).join('');
    expect(text.split('\n')).toHaveLength(20_001);
    expect(text.endsWith('END')).toBe(true);
  });
});
