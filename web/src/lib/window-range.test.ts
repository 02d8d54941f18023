import { expect, test } from '@jest/globals';
import { windowRange } from './window-range.js';

test('at the start, in the middle and at the end only what is near the window is drawn', () => {
  expect(windowRange(200_000, 20, 0, 400, 5)).toEqual({ start: 0, end: 26, before: 0, after: 3_999_480 });
  expect(windowRange(200_000, 20, 2_000_000, 400, 5)).toMatchObject({ start: 99_995, end: 100_026 });
  expect(windowRange(200_000, 20, 3_999_600, 400, 5)).toMatchObject({ end: 200_000, after: 0 });
});

test('a list shorter than its window is drawn whole, also when it shrank under a far scroll position', () => {
  expect(windowRange(3, 20, 0, 400, 5)).toEqual({ start: 0, end: 3, before: 0, after: 0 });
  expect(windowRange(3, 20, 90_000, 400, 5)).toMatchObject({ start: 0, end: 3 });
  expect(windowRange(0, 20, 0, 400, 5)).toMatchObject({ start: 0, end: 0 });
});

test('before, rows and after always add up', () => {
  for (const offset of [0, 17, 333, 5_000, 19_990]) {
    const { start, end, before, after } = windowRange(1_000, 20, offset, 410, 4);
    expect(before + (end - start) * 20 + after).toBe(20_000);
  }
});
