import { expect, test } from '@jest/globals';
import { initialValues, paramsOf, typedValue } from './form-values.js';
import type { FormField } from './schema-fields.js';

const field = (path: string, rest: Partial<FormField> = {}): FormField => ({
  path: path.split('.'),
  label: path,
  help: '',
  isRequired: false,
  initial: undefined,
  control: { is: 'text' },
  ...rest,
});
const number = field('steps', { initial: 1, control: { is: 'number', isInteger: true } });

test('an earlier job fills the form, defaults fill the rest, and what differs from them is sent', () => {
  const fields = [
    number,
    field('name'),
    field('limits.size', { control: { is: 'number', isInteger: true } }),
  ];
  const values = initialValues(fields, { limits: { size: 4 } });
  expect(values).toEqual({ steps: 1, name: undefined, 'limits.size': 4 });
  expect(paramsOf(fields, values)).toEqual({ limits: { size: 4 } });
  expect(paramsOf(fields, { ...values, steps: 2 })).toEqual({ steps: 2, limits: { size: 4 } });
});

test('typed text becomes what the field means; nonsense stays for the server to refuse', () => {
  expect([' ', '12', '1e-3', 'many'].map((text) => typedValue(number, text))).toEqual([
    undefined,
    12,
    0.001,
    'many',
  ]);
  const json = field('list', { control: { is: 'json' } });
  expect([typedValue(json, '[1,2]'), typedValue(json, '[1')]).toEqual([[1, 2], '[1']);
});
