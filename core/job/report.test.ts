import { expect, test } from '@jest/globals';
import type { ReportItem } from '../wire/worker-api.js';
import { effectOfReport } from './report.js';

const state = { attemptNumber: 1, reportedNumber: 0, logBytes: 0, logCut: false, checkpoints: new Map() };
const log = (number: number, text: string): ReportItem => ({
  type: 'log',
  number,
  stream: 'STDOUT',
  text,
  firstLine: number,
});

test('items seen before are skipped, so the same report may come twice', () => {
  const items = [log(1, 'a\n'), log(2, 'b\n')];
  expect(effectOfReport(items, { ...state, reportedNumber: 1 }, 100)).toMatchObject({
    lastNumber: 2,
    events: [{ type: 'log', data: { text: 'b\n' } }],
  });
  expect(effectOfReport(items, { ...state, reportedNumber: 2 }, 100).events).toEqual([]);
});

test('nothing behind a hole is taken', () => {
  expect(effectOfReport([log(1, 'a\n'), log(3, 'c\n')], state, 100)).toMatchObject({ lastNumber: 1 });
});

test('beyond the limit one SYSTEM line stands for the rest, and only once', () => {
  const effect = effectOfReport([log(1, 'ä'.repeat(5)), log(2, 'x'), log(3, 'y')], state, 10);
  expect(effect.events.map((event) => (event.type === 'log' ? event.data.stream : event.type))).toEqual([
    'STDOUT',
    'SYSTEM',
  ]);
  expect(effect).toMatchObject({ lastNumber: 3, log: { addedBytes: 10, cut: true } });
  expect(
    effectOfReport([log(4, 'z')], { ...state, reportedNumber: 3, logBytes: 10, logCut: true }, 10).events,
  ).toEqual([]);
});

test('a checkpoint becomes an artifact event; one that is no longer kept is passed over', () => {
  const kept = {
    id: 'art_a',
    name: 'checkpoint-1.zip',
    mediaType: 'application/zip',
    bytes: 3,
    sha256: 'ab',
    role: 'CHECKPOINT' as const,
    attempt: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const items: ReportItem[] = [
    { type: 'checkpoint', number: 1, artifactId: 'art_gone' },
    { type: 'checkpoint', number: 2, artifactId: 'art_a' },
  ];
  expect(effectOfReport(items, { ...state, checkpoints: new Map([['art_a', kept]]) }, 10)).toMatchObject({
    lastNumber: 2,
    events: [{ type: 'artifact', attempt: 1, data: kept }],
  });
});
