import { expect, test } from '@jest/globals';
import { describeParam, typedParam, type ParamSchema } from './params.js';

const literals: ParamSchema = {
  anyOf: [
    { type: 'number', const: 2 },
    { type: 'number', const: 3 },
  ],
};

test.each<[ParamSchema, string, unknown]>([
  [{ type: 'integer' }, '42', 42],
  [{ type: 'number' }, '-1.5e3', -1_500],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'boolean' }, 'No', false],
  [{ type: 'string' }, '42', '42'],
  [{ type: 'string' }, 'true', 'true'],
  [literals, '3', 3],
  [{ enum: ['cnn', 'mlp'] }, 'mlp', 'mlp'],
  [{ type: 'array' }, '[1,2]', [1, 2]],
  [{ type: 'object' }, '{"a":1}', { a: 1 }],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '7', 7],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'x', 'x'],
])('by %j, %s means %j', (schema, text, value) => {
  expect(typedParam(schema, text)).toEqual(value);
});

test('what does not fit goes as it is, for the server to refuse by its own rule', () => {
  expect(typedParam({ type: 'integer' }, 'x')).toBe('x');
  expect(typedParam({ type: 'integer' }, '')).toBe('');
  expect(typedParam({ type: 'integer' }, '0x10')).toBe('0x10');
  expect(typedParam({ type: 'boolean' }, 'maybe')).toBe('maybe');
  expect(typedParam(literals, '9')).toBe(9);
  expect(typedParam(undefined, '{"a":[1]}')).toEqual({ a: [1] });
  expect(typedParam(undefined, 'plain')).toBe('plain');
});

test('a param is described in a few words', () => {
  expect(describeParam({ type: 'integer', minimum: 1, maximum: 100 })).toBe('integer 1 to 100');
  expect(describeParam({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).toBe(
    'integer from 1',
  );
  expect(describeParam(literals)).toBe('2 | 3');
  expect(describeParam({ type: 'array', items: { format: 'gjm-file', contentMediaType: 'image/png' } })).toBe(
    'files (image/png)',
  );
  expect(describeParam({ type: 'string', format: 'gjm-file', contentMediaType: 'image/png' })).toBe(
    'file (image/png)',
  );
});
