import { expect, test } from '@jest/globals';
import type { JobRow } from '@gjm/client/index.js';
import { heldAfter } from './held-rows.js';

const rows = (...ids: string[]) => ids.map((id) => ({ id }) as JobRow);
const none = new Set<string>();

test('rows that come wait, and stop waiting when they are gone', () => {
  expect([...heldAfter(none, rows('b', 'a'), rows('c', 'b', 'a'))]).toEqual(['c']);
  expect([...heldAfter(new Set(['c']), rows('c', 'b', 'a'), rows('d', 'b', 'a'))]).toEqual(['d']);
});

test('the first rows of an empty list are shown at once', () => {
  expect(heldAfter(none, [], rows('a')).size).toBe(0);
  expect(heldAfter(new Set(['a']), rows('a'), rows('b', 'a')).size).toBe(0);
});
