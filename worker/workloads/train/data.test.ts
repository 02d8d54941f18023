import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { modelTrain, type ModelTrainParams } from '@gjm/core/workload/model-train.js';
import { workloadContext } from '../../testing/workload-context.js';
import { writeZip } from '../archive/write-zip.js';
import type { Engine } from '../../engines/engine.js';
import type { Examples } from './examples.js';
import { readImageFolders } from './read-image-folders.js';
import { readTable } from './read-table.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-data-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const lines: string[] = [];
function contextOf(given: object) {
  lines.length = 0;
  return workloadContext<ModelTrainParams>({
    params: modelTrain.params.parse({ data: '', validationSplit: 0, ...given }),
    inputs: {},
    outputDir: folder,
    engine: null as unknown as Engine, // nothing is computed here
    print: async (line) => void lines.push(String(line)),
  });
}

async function table(content: string | Buffer, given: object = {}): Promise<Examples> {
  const path = join(folder, 'table.csv');
  await writeFile(path, content);
  return readTable(path, contextOf(given));
}

async function pictures(files: Record<string, Uint8Array | string>, given: object = {}): Promise<Examples> {
  const path = join(folder, 'pictures.zip');
  await writeZip(path, files);
  return readImageFolders(path, contextOf({ imageSize: 8, ...given }));
}

const picture = (red: number, size = 12): Promise<Buffer> =>
  sharp({ create: { width: size, height: size + 3, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer();

describe('a CSV file', () => {
  test('quotes, missing values, text categories and a label anywhere become a table that is told with the model', async () => {
    const examples = await table(
      '\ufeffsize,"the ""kind""",colour\r\n1,cat,red\r\n3,"dog, big",blue\r\n,cat,?\r\n2,dog,red\r\n5,,blue\r\n',
      { label: 'colour' },
    );
    expect(examples.classes).toEqual(['blue', 'red']);
    expect(lines).toContain('1 rows have no label and are left out');
    expect(examples.labels).toHaveLength(4);
    expect(examples.shape).toEqual([4]);
    expect(examples.preprocessing).toMatchObject({
      label: 'colour',
      columns: [
        { type: 'number', name: 'size', mean: 2.75 },
        { type: 'category', name: 'the "kind"', values: ['cat', 'dog', 'dog, big'], hasOther: false },
      ],
    });
    const sizes = Array.from({ length: 4 }, (_, row) => examples.values[row * 4]!);
    expect(sizes.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 5);
  });

  test('semicolons, tabs and bars, numbers as labels in their order, a constant and an empty column', async () => {
    for (const delimiter of [';', '\t', '|']) {
      const rows = ['a,b,c,n', '1,7,,10', '2,7,,9', '1.5e1,7,,10'].join('\n').replaceAll(',', delimiter);
      const examples = await table(rows);
      expect(examples.classes).toEqual(['9', '10']);
      expect([...examples.values].every(Number.isFinite)).toBe(true);
    }
  });

  test('a text column with very many values keeps the frequent ones and one input for the rest', async () => {
    const rows = Array.from({ length: 400 }, (_, row) => `${row < 100 ? 'often' : `v${row}`},${row % 2}`);
    const examples = await table(['text,label', ...rows].join('\n'));
    const [column] = (examples.preprocessing as { columns: { values: string[]; hasOther: boolean }[] })
      .columns;
    expect(column).toMatchObject({ hasOther: true });
    expect(column!.values).toHaveLength(100);
    expect(column!.values).toContain('often');
  });

  test('memory is bounded by what could become inputs, however many columns and however long the texts', async () => {
    const names = Array.from({ length: 20_000 }, (_, column) => `c${column}`);
    const wide = [0, 1].map((row) => [...names.map((name) => `${name}-${row}`), row].join(','));
    const examples = await table([[...names, 'label'].join(','), ...wide].join('\n'));
    expect(examples.shape[0]).toBeLessThanOrEqual(40_000);

    const prose = Array.from({ length: 6 }, (_, row) => `${'x'.repeat(100_000)}${row},${row % 2}`);
    const { preprocessing, shape } = await table(['text,label', ...prose].join('\n'));
    expect(preprocessing).toMatchObject({ columns: [{ type: 'category', values: [], hasOther: true }] });
    expect(shape).toEqual([1]);
    await expect(table(['n,label', `1,${'x'.repeat(300)}`, '2,y'].join('\n'))).rejects.toThrow(
      'very long ones',
    );
  });

  test.each([
    ['', 'The CSV file is empty.'],
    ['a,b\n', 'fewer than two different values'],
    ['a\n1\n2', 'one column only'],
    ['a,,b\n1,2,3', 'no name for column 2'],
    ['a,b,a\n1,2,3', 'names "a" twice'],
    ['a,b\n1,2\n1,2,3\n', 'line 3: a row has another number of fields'],
    ['a,b\n1,"2\n3,4\n', 'quote is never closed'],
    ['a,b\n1,x"y"z"\n', 'quotes are wrong'],
    [Buffer.from([0x61, 0x2c, 0x62, 0x0a, 0x31, 0x2c, 0xff, 0x0a]), 'not UTF-8 text'],
    [
      ['x,y', ...Array.from({ length: 1_100 }, (_, row) => `1,${row}`)].join('\n'),
      'does not look like classes',
    ],
    [',y\n,a\n,b\n', 'no name for column 1'],
    ['x,y\n,a\n,b\n', 'no values but the label'],
  ])('that is hostile or odd (%#) is refused in one sentence', async (content, sentence) => {
    await expect(table(content)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(sentence) as unknown,
    });
  });

  test('without the label names the columns that it has', async () => {
    await expect(table('a,b\n1,2\n', { label: 'c' })).rejects.toThrow(
      'The CSV file has no column "c" for the label. It has "a", "b".',
    );
  });
});

describe('a zip of image folders', () => {
  test('folders are classes, whatever lies around them', async () => {
    const examples = await pictures({
      'set/red/1.png': await picture(255),
      'set/red/2.jpg': await sharp(await picture(255, 40))
        .jpeg()
        .toBuffer(),
      'set/black/1.png': await picture(0),
      '__MACOSX/set/red/._1.png': 'x',
      'set/red/.DS_Store': 'x',
      'set/black/Thumbs.db': 'x',
    });
    expect(examples.classes).toEqual(['black', 'red']);
    expect(examples.shape).toEqual([8, 8, 3]);
    const reds = [...examples.labels].map((label, row) => [label, examples.values[row * 192]! > 200]);
    expect(reds.every(([label, isRed]) => (label === 1) === isRed)).toBe(true);
  });

  test('the share that is held out is never learned from', async () => {
    const files: Record<string, Buffer> = {};
    for (let index = 0; index < 10; index++)
      files[`${index % 2 ? 'a' : 'b'}/${index}.png`] = await picture(index * 20);
    const examples = await pictures(files, { validationSplit: 0.3, maxExamples: 9 });
    expect(examples.labels).toHaveLength(9);
    expect(examples.trainingCount).toBe(6);
    expect(new Set([...Array(9).keys()].map((row) => examples.values[row * 192])).size).toBe(9);
  });

  test('what can not be used is named', async () => {
    const png = await picture(9);
    const cases: [Record<string, Uint8Array | string>, string][] = [
      [{ 'a/1.png': png, 'b/notes.txt': 'hello' }, '"b/notes.txt" can not be used: it is not a PNG'],
      [{ 'a/1.png': png, 'b/2.png': png.subarray(0, 60) }, '"b/2.png" can not be used: it is damaged'],
      [{ 'a/1.png': png, '2.png': png }, '"2.png" must lie in a folder'],
      [{ 'a/1.png': png, 'a/2.png': png }, 'fewer than two folders'],
      [{ 'a/1.png': png, 'b/../../2.png': png }, 'path that is not allowed: "b/../../2.png"'],
      [{ 'a/1.png': png, '/b/2.png': png }, 'path that is not allowed: "/b/2.png"'],
      [{ 'a/1.png': png, 'b/2.png': new Uint8Array(20_000_000) }, '"b/2.png" unpacks to more than 200 times'],
      [{}, 'fewer than two folders'],
    ];
    for (const [files, sentence] of cases)
      await expect(pictures(files)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(sentence) as unknown,
      });
  });

  test('a file that is no archive, or a part of one, is refused', async () => {
    const path = join(folder, 'not.zip');
    await writeFile(path, 'PK and then nothing that a zip has');
    await expect(readImageFolders(path, contextOf({}))).rejects.toThrow('cut off or damaged');
  });
});
