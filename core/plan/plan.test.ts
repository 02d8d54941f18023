import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { defaultPolicy } from '../policy/policy.js';
import { defineKind } from '../workload/define.js';
import { planJob } from './plan.js';

const kindOf = (...tiers: string[]) =>
  defineKind({
    name: 'x.y',
    title: '',
    description: '',
    params: z.strictObject({}),
    outputs: [],
    tiers: tiers.map((name, index) => ({ name, memoryBytes: index + 1 })),
  });

test.each<[string[], string | null, string | null, number, string]>([
  [[], null, null, 0, 'x.y has no tiers to choose from.'],
  [['slim'], null, 'slim', 1, 'Tier slim, the only one of x.y.'],
  [['slim', 'wide'], null, 'slim', 1, 'Tier slim, the smallest of x.y that is eligible.'],
  [['slim', 'wide'], 'wide', 'wide', 2, 'Tier wide of x.y, as asked.'],
])(
  'of tiers %j and %j asked, %j is chosen and the reason says how',
  (tiers, asked, tier, memoryBytes, why) => {
    const plan = planJob({ kind: kindOf(...tiers), tier: asked }, defaultPolicy);
    expect(plan).toMatchObject({ tier, memoryBytes });
    expect(plan.why).toBe(`${why} Engines in order: cuda, webgpu, native, wasm, cpu.`);
  },
);

test('what runs programs is planned for the engine that loads no TensorFlow', () => {
  const plan = planJob({ kind: { ...kindOf(), runsPrograms: true }, tier: null }, defaultPolicy);
  expect(plan.engines).toEqual(['process']);
  expect(plan.why).toBe('x.y has no tiers to choose from. Engine: process.');
});
