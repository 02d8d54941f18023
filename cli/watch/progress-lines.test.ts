import { expect, test } from '@jest/globals';
import { ProgressLines } from './progress-lines.js';

const nothing = { fraction: null, step: null, total: null, message: null, etaSeconds: null };
const at = (ms: number): string => new Date(1_800_000_000_000 + ms).toISOString();
const tell = (lines: ProgressLines, ms: number, progress: Partial<typeof nothing> | { fraction: number }) =>
  lines.textOf({ at: at(ms), progress: { ...nothing, ...progress } });

test('a share of the whole is told once a tenth, and anew in a new attempt', () => {
  const lines = new ProgressLines();
  const shares = [0, 0.09, 0.1, 0.19, 0.35, 0.3, 1, 1.5];
  const told = (ms: number) => shares.map((fraction) => tell(lines, ms, { fraction })).filter(Boolean);
  expect(told(0)).toEqual(['PROGRESS 10 %', 'PROGRESS 30 %', 'PROGRESS 100 %']);
  expect(told(1)).toEqual([]);
  lines.startOver();
  expect(told(2)).toHaveLength(3);
});

test('a message alone is told at most every five seconds, by the time of the event', () => {
  const lines = new ProgressLines();
  const times = [0, 250, 4_999, 5_000, 5_250, 10_000];
  const told = times.map((ms) => lines.textOf({ at: at(ms), progress: { ...nothing, message: `at ${ms}` } }));
  expect(told).toEqual(['PROGRESS: at 0', '', '', 'PROGRESS: at 5000', '', 'PROGRESS: at 10000']);
  expect(tell(lines, 60_000, {})).toBe('');
});
