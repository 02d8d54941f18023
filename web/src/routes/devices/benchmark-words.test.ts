import { expect, test } from '@jest/globals';
import { benchmarkInWords } from './benchmark-words.js';

test('figures are told in words with their units; one that is not known keeps its name', () => {
  const figures = { matmul_gflops_1024: 31_240.4, memory_gb_per_s_64mib: 8.125, first_step: 3 };
  expect(benchmarkInWords(figures)).toEqual([
    { what: 'Matrix product, 1024 × 1024', value: '31,240 GFLOP/s' },
    { what: 'Memory moved, 64 MiB', value: '8.13 GB/s' },
    { what: 'first step', value: '3' },
  ]);
});
