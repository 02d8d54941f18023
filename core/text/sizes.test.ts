import { expect, test } from '@jest/globals';
import { sizeOf } from './sizes.js';

test('sizes keep two or three digits', () => {
  expect([0, 812, 3_120, 21_840, 11_240_000, 999_700, '9223372036854775807'].map(sizeOf)).toEqual([
    '0 B',
    '812 B',
    '3.1 kB',
    '21.8 kB',
    '11.2 MB',
    '1.0 MB',
    '9.2 EB',
  ]);
});
