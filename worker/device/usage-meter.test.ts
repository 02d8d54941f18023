import { expect, test } from '@jest/globals';
import { sumUsage, UsageMeter } from './usage-meter.js';

const sample = (utilisation: number | null, memoryUsedBytes: number | null, powerWatts: number | null) => ({
  ...{ utilisation, memoryUsedBytes, powerWatts },
  temperatureCelsius: null,
});

test('energy is power over time, memory what came on top, utilisation what the samples said', () => {
  const meter = new UsageMeter(1_000, sample(0, 500, 100));
  meter.add(2_000, sample(0.5, 2_500, 300));
  meter.add(4_000, sample(1, 1_500, 300));
  expect(meter.total(false)).toEqual({
    ...{ peakUtilisation: 1, meanUtilisation: 0.75, peakMemoryBytes: 2_000 },
    ...{ joules: 200 + 600, gpuSeconds: 3, isEstimate: false },
  });
});

test('what a driver does not tell stays unknown, and nothing is below zero', () => {
  const meter = new UsageMeter(0, null);
  meter.add(1_000, sample(null, null, null));
  expect(meter.total(true)).toEqual({
    ...{ peakUtilisation: null, meanUtilisation: null, peakMemoryBytes: null },
    ...{ joules: null, gpuSeconds: 1, isEstimate: true },
  });
  const shrinking = new UsageMeter(0, sample(0, 900, null));
  shrinking.add(1_000, sample(0, 100, null));
  expect(shrinking.total(false).peakMemoryBytes).toBe(0);
});

test('an attempt may last for days: a sample more costs nothing, and the figures stay true', () => {
  const meter = new UsageMeter(0, sample(0, 0, 100));
  const seconds = 1_000_000;
  for (let n = 1; n <= seconds; n += 1) meter.add(n * 1_000, sample(0.9, 10, 100));
  const total = meter.total(false);
  expect(total).toMatchObject({ peakUtilisation: 0.9, joules: 100 * seconds, gpuSeconds: seconds });
  expect(total.meanUtilisation).toBeCloseTo(0.9, 6);
  expect(total.meanUtilisation).toBeLessThanOrEqual(0.9);
});

test('several GPUs: energy and time are sums, memory is what each must have; none is nothing', () => {
  const [one, two] = [new UsageMeter(0, sample(0, 0, 100)), new UsageMeter(0, sample(0, 0, null))];
  one.add(2_000, sample(0.2, 10, 100));
  two.add(2_000, sample(0.8, 30, null));
  expect(sumUsage([one.total(false), two.total(true)])).toEqual({
    ...{ peakUtilisation: 0.8, meanUtilisation: 0.5, peakMemoryBytes: 30 },
    ...{ joules: 200, gpuSeconds: 4, isEstimate: true },
  });
  expect(sumUsage([])).toBeNull();
});
