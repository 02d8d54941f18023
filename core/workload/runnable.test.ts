import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineKind, type Kind } from './define.js';
import { kinds } from './kinds.js';
import { runnableNames, runName } from './runnable.js';

const kindOf = (given: Pick<Kind, 'name' | 'tiers' | 'needsPackage'>) =>
  defineKind({ title: '', description: '', params: z.strictObject({}), outputs: [], ...given });

const declared = [
  kindOf({ name: 'plain', tiers: [] }),
  kindOf({
    name: 'tiered',
    tiers: [
      { name: 'small', memoryBytes: 1 },
      { name: 'large', memoryBytes: 2, needsPackage: 'models' },
    ],
  }),
  kindOf({ name: 'optional', tiers: [], needsPackage: 'models' }),
  kindOf({ name: 'optional.tiered', tiers: [{ name: 'only', memoryBytes: 1 }], needsPackage: 'models' }),
];

test('without optional packages a worker runs the kinds and tiers that need none', () => {
  expect(runnableNames(declared, () => false)).toEqual(['plain', 'tiered/small']);
});

test('with them it runs all, named by kind and tier', () => {
  expect(runnableNames(declared, (set) => set === 'models')).toEqual([
    'plain',
    'tiered/small',
    'tiered/large',
    'optional',
    'optional.tiered/only',
  ]);
});

test('whatever is declared has a name of its own', () => {
  const all = runnableNames(kinds, () => true);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(
    expect.arrayContaining([runName('image.upscale', 'slim'), runName('model.train', null)]),
  );
});
