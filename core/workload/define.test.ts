import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineKind, fileFieldsOf, fileListParam, fileParam, filePlacesOf } from './define.js';

const kind = defineKind({
  name: 'x.y',
  title: '',
  description: '',
  params: z.strictObject({
    data: z.union([z.literal('digits'), fileParam(['text/plain'], '')]),
    images: fileListParam(['image/png', 'image/jpeg'], 3, ''),
    note: z.string().optional(),
  }),
  outputs: [],
  tiers: [],
});

test('files and lists of files are found in a schema', () => {
  expect(fileFieldsOf(kind)).toEqual([
    { field: 'data', accept: ['text/plain'], builtIn: ['digits'], isList: false },
    { field: 'images', accept: ['image/png', 'image/jpeg'], builtIn: [], isList: true },
  ]);
});

test('each file of a list has a name and a path of its own', () => {
  const places = filePlacesOf(kind, { data: 'a', images: ['b', 3], note: 'c' });
  expect(places.map(({ name, path, value }) => [name, path, value])).toEqual([
    ['data', ['data'], 'a'],
    ['images.0', ['images', '0'], 'b'],
    ['images.1', ['images', '1'], 3],
  ]);
});

test('what is built in, left out or no list is no list of files', () => {
  expect(filePlacesOf(kind, { data: 'digits' })).toEqual([]);
  expect(filePlacesOf(kind, { images: 'b' }).map(({ path }) => path)).toEqual([['images']]);
});
