import { expect, test } from '@jest/globals';
import { sizeOf } from './sizes.js';
import { ageOf, estimateOf, spanOf, timerOf } from './times.js';

test('lengths of time read as a person would say them', () => {
  expect([-5, 3_000, 720_000, 5 * 3_600_000, 3 * 86_400_000].map(ageOf)).toEqual([
    '0 s',
    '3 s',
    '12 m',
    '5 h',
    '3 d',
  ]);
  expect([6_000, 919_000, 7_509_000].map(timerOf)).toEqual(['0:06', '15:19', '2:05:09']);
  expect([800, 252_000, 7_500_000].map(spanOf)).toEqual(['0.8 s', '4 min 12 s', '2 h 5 min']);
  expect([0, 8, 840, 7_200].map(estimateOf)).toEqual(['≈ 1 s', '≈ 8 s', '≈ 14 min', '≈ 2 h']);
});

test('sizes have two or three digits, also those above 2^53', () => {
  expect([0, 812, 3_100, 11_200_000, '9223372036854775807'].map(sizeOf)).toEqual([
    '0 B',
    '812 B',
    '3.1 kB',
    '11.2 MB',
    '9.2 EB',
  ]);
});
