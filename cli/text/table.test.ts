import { expect, test } from '@jest/globals';
import { factLines, tableLines, type Column } from './table.js';
import { cutTo, padTo, widthOf } from './width.js';

test.each([
  ['abc', 3],
  ['日本', 4],
  ['é', 1],
  ['👩‍💻', 2],
  ['\u001b[31mred\u001b[39m', 3],
])('%j takes %d cells', (text, cells) => {
  expect(widthOf(text)).toBe(cells);
  expect(widthOf(padTo(text, 6))).toBe(6);
});

test('a cut never splits a letter and never takes more than it may', () => {
  expect(cutTo('abcdef', 4)).toBe('abc…');
  expect(cutTo('日本語', 4)).toBe('日…');
  expect(cutTo('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  expect(cutTo('ab', 2)).toBe('ab');
  expect(cutTo('ab', 0)).toBe('');
});

interface Row {
  id: string;
  name: string;
}
const columns: Column<Row>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, least: 4 },
  { title: 'WIDE', text: () => 'only on wide ones', from: 60 },
  { title: 'LAST', text: ({ name }) => name, least: 4, paint: (text) => `<${text}>` },
];
const rows = [{ id: 'job_1', name: 'a long name of a job' }];

test('a terminal gets lines within its width; ids are never cut', () => {
  for (const cells of [24, 30, 40, 59])
    for (const line of tableLines(
      columns.map((column) => ({ ...column, paint: undefined })),
      rows,
      cells,
    )) {
      expect(widthOf(line)).toBeLessThanOrEqual(cells);
      expect(line).toMatch(/^(ID|job_1) /);
    }
});

test('a pipe gets everything', () => {
  expect(tableLines(columns, rows, null)).toEqual([
    'ID     NAME                  WIDE               LAST',
    'job_1  a long name of a job  only on wide ones  <a long name of a job>',
  ]);
});

test('facts without a value are left out', () => {
  expect(
    factLines([
      ['Job', 'x'],
      ['Engine', null],
      ['Status', 'y'],
    ]),
  ).toEqual(['Job     x', 'Status  y']);
});
