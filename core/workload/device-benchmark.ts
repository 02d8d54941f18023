import { z } from 'zod';
import { defineKind } from './define.js';

export const deviceBenchmark = defineKind({
  name: 'device.benchmark',
  title: 'Measure a device',
  description:
    'Measures how fast the device it runs on multiplies matrices and moves memory, in a few seconds: medians at several sizes, as many as time allows. Makes benchmark.json and a metric for each size.',
  params: z.strictObject({}),
  outputs: ['benchmark.json'],
  tiers: [],
});
