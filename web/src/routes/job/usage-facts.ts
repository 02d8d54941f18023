import { sizeOf } from '@gjm/core/text/sizes.js';
import { spanOf } from '@gjm/core/text/times.js';
import type { JobView } from './job-view.js';

type Usage = NonNullable<JobView['attempts'][number]['usage']>;

const percent = (share: number): string => `${Math.round(share * 100)}%`;

const jouleSteps = [
  [3_600_000, 'kWh'],
  [3_600, 'Wh'],
  [1, 'J'],
] as const;

/** Energy in the unit that leaves few digits: `812 J`, `1.5 Wh`, `2.1 kWh`. */
export function energyOf(joules: number): string {
  const [size, unit] = jouleSteps.find(([least]) => joules >= least) ?? [1, 'J'];
  const value = joules / size;
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

/** What an attempt took of its devices, a name and a value each; what was not measured is left out. */
export function usageFacts(usage: Usage): { name: string; value: string }[] {
  const { meanUtilisation, peakUtilisation, peakMemoryBytes, joules, gpuSeconds } = usage;
  const facts: [name: string, value: string | null][] = [
    ['busy, mean', meanUtilisation === null ? null : percent(meanUtilisation)],
    ['busy, peak', peakUtilisation === null ? null : percent(peakUtilisation)],
    ['memory, peak', peakMemoryBytes === null ? null : sizeOf(peakMemoryBytes)],
    ['energy', joules === null ? null : energyOf(joules)],
    ['GPU time', gpuSeconds === null ? null : spanOf(gpuSeconds * 1_000)],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}
