import { expect, test } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';
import { cleanJson, cleanText } from './clean.js';

test('NUL and lone surrogates become replacement marks, everything else stays', () => {
  expect(cleanText('a\0b\uD800c😀', 100)).toBe('a\uFFFDb\uFFFDc😀');
});

test('a text is cut at a code point, never inside one', () => {
  expect(cleanText('ab😀', 3)).toBe('ab');
  expect(cleanText('ab😀', 4)).toBe('ab😀');
});

test('JSON is cleaned to its leaves and cut nowhere', () => {
  const long = 'x'.repeat(200_000);
  expect(cleanJson({ 'k\0': [long, { a: '\uDC00' }, 1, null, true] })).toEqual({
    'k\uFFFD': [long, { a: '\uFFFD' }, 1, null, true],
  });
});

test('canonical JSON does not depend on the order of keys, nor on members that are undefined', () => {
  expect(canonicalJson({ b: [2, { d: 1, c: null }], a: 'x', e: undefined })).toBe(
    canonicalJson({ a: 'x', b: [2, { c: null, d: 1 }] }),
  );
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
});
