import { expect, test } from '@jest/globals';
import type { Holder } from '../../lib/fleet.js';
import { otherHolders } from './slot-holders.js';

const slot = (index: number, holderName: string | null) => ({
  index,
  holderName,
  busySince: null,
  etaSeconds: null,
});
const jobOf = (name: string) => ({ owner: { id: 'usr_1', name } }) as Holder;

test('each job one sees stands for one slot of its owner; the rest are others’', () => {
  const slots = [slot(0, 'Ann'), slot(1, null), slot(2, 'Bob'), slot(3, 'Ann')];
  expect(otherHolders(slots, [jobOf('Ann')]).map(({ index }) => index)).toEqual([2, 3]);
  expect(otherHolders(slots, []).map(({ index }) => index)).toEqual([0, 2, 3]);
});

test('a job that has no slot yet takes nobody else’s away', () => {
  expect(otherHolders([slot(0, 'Bob')], [jobOf('Ann')]).map(({ index }) => index)).toEqual([0]);
});
