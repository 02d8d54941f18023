import { expect, test } from '@jest/globals';
import { addressOf, passes, queryOf, readFilter } from './list-filter.js';

test('an address gives the filter that gives the address', () => {
  for (const address of [
    '/jobs',
    '/jobs?status=queued,failed',
    '/jobs?kind=image.upscale&label=team%3Dvision&label=a%3Db%3Dc&text=harbour+%26+dusk',
  ])
    expect(addressOf(readFilter(new URL(address, 'http://x').search))).toBe(address);
});

test('what is not known is left out', () => {
  expect(readFilter('?status=running,paused&label=broken&page=3')).toEqual({
    statuses: ['RUNNING'],
    kinds: [],
    labels: {},
    text: '',
  });
});

test('the API is asked only for what narrows', () => {
  expect(queryOf(readFilter(''))).toBeNull();
  expect(queryOf(readFilter('?status=running&label=team=vision&text=x'))).toEqual({
    status: ['RUNNING'],
    labels: { team: 'vision' },
    text: 'x',
  });
});

test('a job whose status is not asked for has left the list', () => {
  expect(passes(readFilter('?status=running'), { status: 'SUCCEEDED' })).toBe(false);
  expect(passes(readFilter('?text=x'), { status: 'SUCCEEDED' })).toBe(true);
});
