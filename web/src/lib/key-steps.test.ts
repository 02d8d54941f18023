import { expect, test } from '@jest/globals';
import { stepKeys } from './key-steps.js';

const known = ['j', 'g d', 'g j', '?'];

test('a single key acts at once, a sequence after its last key', () => {
  expect(stepKeys('', 'j', known)).toEqual({ hit: 'j', pending: '' });
  expect(stepKeys('', 'g', known)).toEqual({ hit: null, pending: 'g' });
  expect(stepKeys('g', 'd', known)).toEqual({ hit: 'g d', pending: '' });
});

test('in a sequence its own meaning of a key comes first, and a key that continues nothing starts anew', () => {
  expect(stepKeys('g', 'j', known)).toEqual({ hit: 'g j', pending: '' });
  expect(stepKeys('g', '?', known)).toEqual({ hit: '?', pending: '' });
  expect(stepKeys('g', 'x', known)).toEqual({ hit: null, pending: '' });
});
