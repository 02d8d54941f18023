import { expect, test } from '@jest/globals';
import pico from 'picocolors';
import type { JobDetails } from '@gjm/client/index.js';
import { widthOf } from '../text/width.js';
import { frameOf, progressLine, type Scene } from './frame.js';
import { LogTail } from './log-tail.js';

const now = Date.parse('2026-01-01T00:00:10.000Z');
const plain = pico.createColors(false);

const job = (rest: Partial<JobDetails> = {}): JobDetails =>
  ({
    id: 'job_1',
    name: 'harbour',
    kind: 'image.upscale',
    status: 'RUNNING',
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: '2026-01-01T00:00:04.000Z',
    finishedAt: null,
    cancelRequestedAt: null,
    progress: { fraction: 0.5, step: 2, total: 4, message: null, etaSeconds: 3 },
    waiting: null,
    failure: null,
    engine: 'wasm',
    devices: [{ id: 'dev_1', name: 'cpu' }],
    attempts: [{ number: 1 }],
    ...rest,
  }) as unknown as JobDetails;

const frame = (scene: Partial<Scene>, cells = 60, rows = 20): string[] =>
  frameOf({ job: job(), log: [], connection: 'live', ...scene }, { cells, rows, now }, plain);

test('a running job shows state, timer, progress, what it does, where, and its last lines', () => {
  expect(frame({ log: ['line 1', 'line 2'] })).toEqual([
    'harbour  image.upscale  job_1',
    '● RUNNING  0:06',
    `${'█'.repeat(18)}${'░'.repeat(18)}  50 %  ≈ 3 s left`,
    '2 of 4',
    'attempt 1 on cpu (wasm)',
    '',
    'line 1',
    'line 2',
    '',
    'Ctrl-C stops watching; the job goes on.',
  ]);
});

test('a queued job shows every reason for waiting', () => {
  const reasons = [
    { code: 'DEVICE_BUSY', message: 'Busy.', devices: [] },
    { code: 'NO_MEMORY', message: 'Too small.', devices: [] },
  ];
  const waiting = { position: 2, etaSeconds: null, reasons };
  const lines = frame({ job: job({ status: 'QUEUED', startedAt: null, attempts: [], waiting }) });
  expect(lines.slice(1, 5)).toEqual([
    '◔ QUEUED  0:10',
    '2nd in line: Busy. (and 1 more)',
    '  DEVICE_BUSY: Busy.',
    '  NO_MEMORY: Too small.',
  ]);
});

test('no picture is wider or higher than the terminal, also a tiny one', () => {
  const log = Array.from({ length: 50 }, (_, n) => `行 ${n} `.repeat(30));
  for (const [cells, rows] of [
    [79, 24],
    [20, 6],
    [10, 3],
    [1, 1],
  ] as const) {
    const lines = frame({ log }, cells, rows);
    expect(lines.length).toBeLessThanOrEqual(rows);
    if (cells >= 20) for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(cells);
  }
});

test('a lost connection is shown, and names can not steer the terminal', () => {
  const lines = frame({ connection: 'reconnecting', job: job({ name: '\u001b[2Jgone\nx' }) });
  expect(lines[0]).toContain('^[[2Jgone x');
  expect(lines[1]).toContain('not live: reconnecting');
});

test('odd fractions draw a whole bar', () => {
  for (const fraction of [-1, 0, 0.999, 1, 7, null])
    expect(
      progressLine({ progress: { fraction, step: null, total: null, message: null, etaSeconds: null } }, 60),
    ).toMatch(/^[█░]{36} +\d+ %$/);
});

test('the tail keeps whole lines, also one that came in two chunks', () => {
  const tail = new LogTail(3);
  tail.add('1\n2\n3');
  tail.add(' and more\n4\n');
  tail.add('\u001b[2J5\n');
  expect(tail.lines).toEqual(['3 and more', '4', '^[[2J5']);
});
