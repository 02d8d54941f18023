import { expect, test } from '@jest/globals';
import { energyOf, usageFacts } from './usage-facts.js';

test('energy is told in the unit that leaves few digits', () => {
  expect([0, 812.4, 5_400, 36_000, 9_000_000].map(energyOf)).toEqual([
    '0 J',
    '812 J',
    '1.5 Wh',
    '10 Wh',
    '2.5 kWh',
  ]);
});

test('what was not measured is left out', () => {
  const usage = {
    ...{ peakUtilisation: 0.9, meanUtilisation: 0.5, peakMemoryBytes: 12e9 },
    ...{ joules: null, gpuSeconds: 2.5, isEstimate: false },
  };
  expect(usageFacts(usage)).toEqual([
    { name: 'busy, mean', value: '50%' },
    { name: 'busy, peak', value: '90%' },
    { name: 'memory, peak', value: '12.0 GB' },
    { name: 'GPU time', value: '2.5 s' },
  ]);
});
