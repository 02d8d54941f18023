import { describe, expect, test } from '@jest/globals';
import { parseRange } from './byte-range.js';

describe('parseRange', () => {
  test.each([
    [undefined, 'whole'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-100', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['bytes=-', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=0x1-2', 'whole'],
  ])('of ten bytes, %s is %j', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  test('no part of an empty file can be given', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });
});
