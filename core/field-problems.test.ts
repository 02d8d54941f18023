import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { readFields } from './field-problems.js';
import { deviceSelectorSchema, jobSpecSchema } from './job/spec.js';
import { kinds } from './workload/kinds.js';

const told = (schema: z.ZodType, value: unknown): string[] => {
  const read = readFields(schema, value, ['it']);
  return read.ok ? [] : read.fields.map(({ path, message }) => `${path.join('.')} ${message}`);
};

test.each<[z.ZodType, unknown, string]>([
  [z.number(), undefined, 'it is needed'],
  [z.number(), 'x', 'it must be a number'],
  [z.number(), Number.NaN, 'it must be a number'],
  [z.int(), 1.5, 'it must be a whole number'],
  [z.number().int(), 1e300, 'it must be a whole number that can be counted exactly'],
  [z.string(), 1, 'it must be text'],
  [z.boolean(), 1, 'it must be true or false'],
  [z.record(z.string(), z.string()), [], 'it must be an object'],
  [z.strictObject({}), 1, 'it must be an object'],
  [z.array(z.string()), {}, 'it must be a list'],
  [z.number().min(1), 0, 'it must be at least 1'],
  [z.number().max(9), 10, 'it must be at most 9'],
  [z.number().gt(1), 1, 'it must be more than 1'],
  [z.number().lt(1), 1, 'it must be less than 1'],
  [z.number().multipleOf(5), 7, 'it must be a multiple of 5'],
  [z.string().min(1), '', 'it must not be empty'],
  [z.string().min(8), 'x', 'it must have at least 8 characters'],
  [z.string().max(1), 'xx', 'it must have at most 1 character'],
  [z.array(z.string()).max(1), ['a', 'b'], 'it must have at most 1 entry'],
  [z.enum(['gpu', 'cpu']), 'tpu', 'it is not one of gpu, cpu'],
  [z.literal('a'), 'b', 'it must be a'],
  [z.union([z.literal(2), z.literal(3)]), 5, 'it is not one of 2, 3'],
  [z.union([z.string(), z.literal(3)]), 5, 'it has none of the forms it may have'],
  [z.strictObject({}), { stepz: 1 }, 'it.stepz is not known here'],
  [z.base64(), '!', 'it must be base64'],
  [z.email(), '!', 'it must be an e-mail address'],
  [z.string().regex(/a/), 'b', 'it has not the form it must have'],
  [z.string().regex(/a/, 'must look like a'), 'b', 'it must look like a'],
  [
    z.record(z.string().max(2), z.string()),
    { abc: 'x' },
    'it.abc has a key that must have at most 2 characters',
  ],
  [z.string().refine(() => false, 'must be liked'), 'x', 'it must be liked'],
])('%# a bad value is told in plain words', (schema, value, sentence) => {
  expect(told(schema, value)).toEqual([sentence]);
});

test('every rule of a submit and of each kind speaks so', () => {
  const bad: unknown[] = [undefined, 1.5, -1, 1e9, 'x'.repeat(200_000), {}, [], { a: 1 }, false];
  const schemas = [jobSpecSchema, deviceSelectorSchema, ...kinds.map(({ params }) => params)];
  for (const schema of schemas as z.ZodObject[])
    for (const field of Object.keys(schema.shape))
      for (const value of bad)
        for (const sentence of told(schema, { [field]: value }))
          expect(sentence).toMatch(/^[\w.]+ (must|is (needed|not)|has|can not)\b(?:[^.]|\.\d)*$/);
});

test('at most 50 fields are told', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`k${n}`, n]));
  expect(told(z.strictObject({}), many)).toHaveLength(50);
});
