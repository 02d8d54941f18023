import { expect, test } from '@jest/globals';
import { LineForms, readLine, type Said } from './line-forms.js';

test.each<[string, Said | null]>([
  ['::gjm progress 0.25', { is: 'progress', update: { fraction: 0.25, step: null, total: null } }],
  [
    '::gjm progress 0.25 step=3 total=12 eta=90 reading the third shard',
    {
      is: 'progress',
      update: { fraction: 0.25, step: 3, total: 12, etaSeconds: 90, message: 'reading the third shard' },
    },
  ],
  ['::gjm progress step=3 total=12', { is: 'progress', update: { step: 3, total: 12 } }],
  ['::gjm progress', null],
  ['::gjm progress 1.5', null],
  ['::gjm progress soon', null],
  [
    '::gjm metric loss=0.5 accuracy=9e-1 step=3',
    {
      is: 'metrics',
      values: [
        ['loss', 0.5],
        ['accuracy', 0.9],
      ],
      step: 3,
    },
  ],
  [
    '::gjm metric loss=nan high=inf low=-Infinity',
    {
      is: 'metrics',
      values: [
        ['loss', NaN],
        ['high', Infinity],
        ['low', -Infinity],
      ],
    },
  ],
  ['::gjm metric loss', null],
  ['::gjm metric loss=high', null],
  ['::gjm metric step=3', null],
  ['::gjm metric loss=1 step=x', null],
  ['::gjm metric bad name=1', null],
  ['::gjm', null],
  ['::gjm other', null],
  ['loss=1', null],
])('%j says %j', (line, said) => {
  expect(readLine(line)).toEqual(said);
});

test('lines are found however the bytes arrive, and nothing else is kept', () => {
  const heard: Said[] = [];
  const forms = new LineForms((said) => void heard.push(said));
  const text = `noise\n::gjm metric a=1\n${'x'.repeat(100_000)}::gjm metric b=2\n::gjm metric c=3\r\n::gjm metric ${'d'.repeat(5_000)}=1\n::gjm metric e=5`;
  for (const byte of Buffer.from(text)) forms.push(Buffer.from([byte]));
  forms.end();
  const whole: Said[] = [];
  const other = new LineForms((said) => void whole.push(said));
  other.push(Buffer.from(text));
  other.end();
  expect(heard.map((said) => (said.is === 'metrics' ? said.values[0]?.[0] : null))).toEqual(['a', 'c', 'e']);
  expect(whole).toEqual(heard);
});
