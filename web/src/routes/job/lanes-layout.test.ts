import { expect, test } from '@jest/globals';
import type { JobView } from './job-view.js';
import { layoutLanes } from './lanes-layout.js';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
const attempt = (number: number, from: number, to: number | null, outcome: string | null) =>
  ({
    number,
    startedAt: iso(from),
    finishedAt: to === null ? null : iso(to),
    outcome,
  }) as unknown as JobView['attempts'][number];
const running = {
  createdAt: iso(0),
  finishedAt: null,
  status: 'RUNNING' as const,
  progress: { fraction: 0.5, step: null, total: null, message: null, etaSeconds: 20 },
  attempts: [attempt(1, 10, 30, 'LOST'), attempt(2, 40, null, null)],
};

test('each attempt waits, loads, computes and ends on the same clock, and the estimate follows now', () => {
  const { lanes, now, ticks } = layoutLanes(running, new Map([[1, iso(15)]]), start + 80_000);
  expect(lanes.map(({ segments }) => segments.map(({ look, from, width }) => [look, from, width]))).toEqual([
    [
      ['wait', 0, 0.1],
      ['load', 0.1, 0.05],
      ['lost', 0.15, 0.15],
    ],
    [
      ['wait', 0.3, 0.1],
      ['run', 0.4, 0.4],
      ['next', 0.8, 0.2],
    ],
  ]);
  expect(now).toBe(0.8);
  expect(ticks.map(({ label }) => label)).toEqual(['0 s', '30 s', '1:00', '1:30']);
});

test('a job that waits for its next attempt shows that wait, and one that is over has no now', () => {
  const waiting = { ...running, status: 'QUEUED' as const, attempts: [attempt(1, 10, 30, 'LOST')] };
  expect(layoutLanes(waiting, new Map(), start + 40_000).lanes.at(-1)).toMatchObject({
    number: 2,
    attempt: null,
    segments: [{ look: 'wait', from: 0.75, width: 0.25 }],
  });
  const ended = { finishedAt: iso(100), status: 'SUCCEEDED' as const };
  const over = { ...running, ...ended, attempts: [attempt(1, 0, 100, 'SUCCEEDED')] };
  expect(layoutLanes(over, new Map(), start + 500_000)).toMatchObject({
    now: null,
    lanes: [{ segments: [{ look: 'done', from: 0, width: 1 }] }],
  });
});

test('a clock that is behind and a job that takes no time draw nothing outside', () => {
  const { lanes, now } = layoutLanes(
    { ...running, attempts: [attempt(1, 0, null, null)] },
    new Map(),
    start - 5_000,
  );
  expect(now).toBeGreaterThanOrEqual(0);
  for (const { from, width } of lanes[0]!.segments) expect(from + width).toBeLessThanOrEqual(1.000_001);
});
