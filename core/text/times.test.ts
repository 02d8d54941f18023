import { expect, test } from '@jest/globals';
import { ageOf, clockOf, estimateOf, momentOf, spanOf, timerOf } from './times.js';

test('ages use one unit and are never negative', () => {
  expect([-500, 0, 59_999, 60_000, 3_599_999, 3_600_000, 172_800_000].map(ageOf)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 m',
    '59 m',
    '1 h',
    '2 d',
  ]);
});

test('timers keep two digits behind the first', () => {
  expect([0, 6_400, 919_000, 7_509_000].map(timerOf)).toEqual(['0:00', '0:06', '15:19', '2:05:09']);
});

test('spans and estimates are told in words', () => {
  expect([840, 34_300, 252_000, 3_720_000].map(spanOf)).toEqual([
    '0.8 s',
    '34.3 s',
    '4 min 12 s',
    '1 h 2 min',
  ]);
  expect([0, 8.4, 840, 9_000].map(estimateOf)).toEqual(['≈ 1 s', '≈ 8 s', '≈ 14 min', '≈ 3 h']);
});

test('a moment is a day and a clock of the reader’s zone', () => {
  const here = new Date(2026, 0, 31, 13, 5, 9).toISOString();
  expect(clockOf(here)).toBe('13:05:09');
  expect(momentOf(here)).toBe('2026-01-31 13:05:09');
});
