import { expect, test } from '@jest/globals';
import { addSample, drawnMs, type Sample } from './samples.js';
import { sparkPath, sparkRange } from './spark-path.js';

const told = (...samples: [at: number, value: number | null][]): readonly Sample[] =>
  samples.reduce<readonly Sample[]>((all, [at, value]) => addSample(all, at, value), []);

test('a figure that stays the same is one sample, and what is not drawn any more is forgotten but for what still holds', () => {
  expect(told([0, 0.5], [2_000, 0.5], [4_000, 0.6])).toEqual([
    { at: 0, value: 0.5 },
    { at: 4_000, value: 0.6 },
  ]);
  const late = told([0, 0.1], [1_000, 0.2], [drawnMs + 5_000, 0.3], [drawnMs + 6_000, 0.4]);
  expect(late.map(({ value }) => value)).toEqual([0.2, 0.3, 0.4]);
});

test('nothing is drawn before the page knew anything, and a figure holds until the next one', () => {
  const samples = told([60_000, 0], [90_000, 1]);
  expect(sparkPath(samples, drawnMs, 1).line).toBe('M60.0 19.0H90.0V1.0H120.0');
  expect(sparkRange(samples, drawnMs)).toEqual([0, 1]);
});

test('a time without a word is a gap', () => {
  const { line, area } = sparkPath(told([0, 0.5], [30_000, null], [90_000, 0.5]), drawnMs, 1);
  expect(line).toBe('M0.0 10.0H30.0M90.0 10.0H120.0');
  expect(area.match(/Z/g)).toHaveLength(2);
  expect(sparkRange(told([0, null]), drawnMs)).toBeNull();
});

test('a value above the scale stays in the box', () => {
  expect(sparkPath(told([0, 900]), drawnMs, 300).line).toBe('M0.0 1.0H120.0');
});
