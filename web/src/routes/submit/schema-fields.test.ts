import { expect, test } from '@jest/globals';
import { diagnostic } from '@gjm/core/workload/diagnostic.js';
import { paramsSchemaOf } from '@gjm/core/workload/define.js';
import { imageUpscale } from '@gjm/core/workload/image-upscale.js';
import { fieldsOf } from './schema-fields.js';

test('the kinds there are give a file, a choice, numbers, switches and a text', () => {
  expect(fieldsOf(paramsSchemaOf(imageUpscale))).toMatchObject([
    {
      path: ['image'],
      label: 'Image',
      isRequired: true,
      control: { is: 'file', accept: 'image/png, image/jpeg, image/webp, image/gif', words: [] },
    },
    { path: ['scale'], isRequired: false, initial: 2, control: { is: 'choice', options: [2, 3, 4, 8] } },
  ]);
  const controls = fieldsOf(paramsSchemaOf(diagnostic)).map(({ path, control }) => [path[0], control.is]);
  expect(Object.fromEntries(controls)).toMatchObject({
    steps: 'number',
    failAtStep: 'number',
    crash: 'switch',
    logBytes: 'text',
  });
});

test('a file or a fixed word, an enumeration, a nested object and what no form can ask for', () => {
  const schema = {
    required: ['data'],
    properties: {
      data: {
        anyOf: [
          { type: 'string', format: 'gjm-file', contentMediaType: 'application/zip' },
          { const: 'digits' },
        ],
      },
      model: { type: 'string', enum: ['cnn', 'mlp'], default: 'cnn' },
      limits: { type: 'object', properties: { batchSize: { type: 'integer', minimum: 1, maximum: 4096 } } },
      extra: { type: 'array' },
      images: { type: 'array', items: { type: 'string', format: 'gjm-file', contentMediaType: 'image/png' } },
    },
  };
  expect(fieldsOf(schema)).toMatchObject([
    { path: ['data'], isRequired: true, control: { is: 'file', words: ['digits'] } },
    { path: ['model'], initial: 'cnn', control: { is: 'choice', options: ['cnn', 'mlp'] } },
    { path: ['limits', 'batchSize'], label: 'Batch size', help: '1\u00a0to\u00a04,096.' },
    { path: ['extra'], control: { is: 'json' } },
    { path: ['images'], control: { is: 'files', accept: 'image/png' } },
  ]);
});
