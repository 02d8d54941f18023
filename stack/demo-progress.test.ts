import type { JobEvent } from '@gjm/client/node.js';
import { expect, test } from '@jest/globals';
import { makeProgressView } from './demo-progress.js';

/** Back to the start of the line, and clear it. */
const ERASE = '\r\x1b[2K';

const base = { jobId: 'job_1', sequence: 1, at: '2026-01-01T00:00:00.000Z', attempt: 1 };

function progress(fraction: number, message: string | null = null): JobEvent {
  const details = { fraction, step: null, total: null, message, etaSeconds: null };
  return { __typename: 'JobProgressEvent', ...base, progress: details };
}

function record(isTTY: boolean) {
  const written: string[] = [];
  const screen = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return { view: makeProgressView(screen), written };
}

test('without a terminal a line is written only for a change', () => {
  const { view, written } = record(false);
  for (const fraction of [0.01, 0.02, 0.11, 0.12, 1]) view.show(progress(fraction));
  expect(written).toEqual(['running: 0 %\n', 'running: 10 %\n', 'running: 100 %\n']);
});

test('a terminal gets one line, drawn again, that fits', () => {
  const { view, written } = record(true);
  view.show(progress(0.5, 'tile 3 of 6 '.repeat(20)));
  view.end();
  expect(written[0]?.slice(0, ERASE.length)).toBe(ERASE);
  expect(written[0]?.slice(ERASE.length)).toMatch(/^█{12}░{12} {2}50 % {2}tile 3 of 6/);
  expect(written[0]?.length).toBeLessThanOrEqual(60 + ERASE.length);
  expect(written[1]).toBe('\n');
});

test('a message can not steer the terminal', () => {
  const { view, written } = record(true);
  view.show(progress(0, '\x1b]0;owned\x07\x1b[2Jhello\nthere'));
  expect(written.join('').slice(ERASE.length)).not.toMatch(/\p{Cc}/u);
});
