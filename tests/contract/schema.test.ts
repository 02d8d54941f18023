import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema } from 'graphql';
import { missingFromSchema } from './missing-from-schema.js';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

test('the schema has everything of the contract: names, arguments, nullability, defaults, values, members', () => {
  expect(
    missingFromSchema(buildSchema(read('./contract.graphql')), buildSchema(read('../../schema.graphql'))),
  ).toEqual([]);
});

test('the comparison notices what is missing or different', () => {
  const wanted = buildSchema('type Query { a(x: Int = 1): Int! b: E } enum E { P Q }');
  const own = buildSchema('type Query { a(x: Int = 2): Int b: E } enum E { P }');
  expect(missingFromSchema(wanted, own)).toEqual([
    'Query.a is Int, not Int!.',
    'Query.a(x) is Int = 2, not Int = 1.',
    'E lacks Q.',
  ]);
});
