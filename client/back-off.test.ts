import { expect, test } from '@jest/globals';
import { BackOff } from './back-off.js';

test('pauses double up to the cap and stay within half of their step', () => {
  const shortest = new BackOff({ firstMs: 100, capMs: 1_000, random: () => 0 });
  const longest = new BackOff({ firstMs: 100, capMs: 1_000, random: () => 0.999_999 });
  expect(Array.from({ length: 6 }, () => shortest.next())).toEqual([50, 100, 200, 400, 500, 500]);
  expect(Array.from({ length: 6 }, () => Math.round(longest.next()))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
});

test('never ends and never leaves its bounds, however often it is asked', () => {
  const backOff = new BackOff({ firstMs: 250, capMs: 8_000 });
  for (let i = 0; i < 5_000; i++) {
    const ms = backOff.next();
    expect(ms >= 125 && ms <= 8_000).toBe(true);
  }
});

test('starts over after a success', () => {
  const backOff = new BackOff({ firstMs: 100, random: () => 0 });
  backOff.next();
  backOff.next();
  backOff.reset();
  expect([backOff.tries, backOff.next()]).toEqual([0, 50]);
});
