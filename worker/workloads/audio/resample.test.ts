import { expect, test } from '@jest/globals';
import { Resampler } from './resample.js';

const rate = 22_050;
const sine = (hertz: number, of: number, count: number) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / of));

/** A second of sound, in blocks of odd sizes. */
function resampled(sound: Float32Array, from: number): Float32Array {
  const resampler = new Resampler(from, rate);
  const parts: number[] = [];
  for (let at = 0, size = 1; at < sound.length; at += size, size = (size * 7 + 3) % 5_000)
    parts.push(...resampler.push(sound.subarray(at, at + (size = Math.max(1, size)))));
  parts.push(...resampler.finish());
  return Float32Array.from(parts);
}

/** Largest value away from the ends, where silence is heard as well. */
const peak = (samples: Float32Array): number =>
  samples.subarray(2_000, -2_000).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

test.each([8_000, 11_025, 22_050, 44_100, 48_000, 96_000])(
  'a tone of %i samples a second stays what it was, in place',
  (from) => {
    const made = resampled(sine(1_000, from, from), from);
    expect(made).toHaveLength(rate);
    const wanted = sine(1_000, rate, rate);
    expect(peak(made.map((sample, index) => sample - wanted[index]!))).toBeLessThan(0.005);
  },
);

test.each([
  [48_000, 15_000],
  [44_100, 12_000],
  [96_000, 40_000],
])('at %i samples a second a tone of %i Hz is gone instead of folded back', (from, hertz) => {
  expect(peak(resampled(sine(hertz, from, from), from))).toBeLessThan(0.001);
});
