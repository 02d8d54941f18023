import { expect, test } from '@jest/globals';
import { kinds } from '@gjm/core/workload/kinds.js';
import { defineWorkload } from './define.js';
import { diagnosticWorkload } from './diagnostic.js';
import { imageUpscaleWorkload } from './image-upscale.js';
import { buildRegistry } from './registry.js';

test('each declared kind has exactly one implementation', () => {
  expect([...buildRegistry().keys()].sort()).toEqual(kinds.map(({ name }) => name).sort());
});

test('a missing, a second and an undeclared implementation are refused at the start', () => {
  const all = [...buildRegistry().values()];
  const fewer = all.filter((workload) => workload !== imageUpscaleWorkload);
  expect(() => buildRegistry(kinds, fewer)).toThrow('image.upscale has 0 implementations');
  expect(() => buildRegistry(kinds, [...all, diagnosticWorkload])).toThrow(
    'diagnostic has 2 implementations',
  );
  const stray = defineWorkload({ ...diagnosticWorkload.kind, name: 'stray' }, () => Promise.resolve([]));
  expect(() => buildRegistry(kinds, [...all, stray])).toThrow('stray, which is not declared');
});
