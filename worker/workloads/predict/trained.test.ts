import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import { loadLayersModel } from '@tensorflow/tfjs-layers';
import sharp from 'sharp';
import type { Engine } from '../../engines/engine.js';
import { wasmLoader } from '../../engines/wasm.js';
import { openZip } from '../archive/open-zip.js';
import { writeZip } from '../archive/write-zip.js';
import { modelArtifacts, readModelJson } from '../model/read-model-json.js';
import { trainUnderTest } from '../train/trained-under-test.js';
import { predictUnderTest } from './predicted-under-test.js';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-predict-'));
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a model itself says of these inputs, without any of our code but the zip. */
async function askModel(path: string, rows: number[][], shape: number[]): Promise<number[][]> {
  const archive = await openZip(path);
  const file = (name: string) => archive.files.find((other) => other.name === name)!.read();
  const json = readModelJson(Buffer.from(await file('model.json')).toString());
  const model = await loadLayersModel(tf.io.fromMemory(await modelArtifacts(json, file)));
  await archive.close();
  const output = tf.tidy(() => model.predict(tf.tensor(rows.flat(), [rows.length, ...shape])) as tf.Tensor2D);
  const answers = await output.array();
  output.dispose();
  model.dispose();
  return answers;
}

const near = (values: number[]) => values.map((value) => expect.closeTo(value, 5) as unknown);

test('a table model gives over CSV and JSON, in any order of columns, what the model itself gives', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, row) => [row, (row * 7) % 5, row % 3 ? 'red' : 'blue'] as const,
  );
  const data = join(folder, 'train.csv');
  const lines = rows.map(([a, b, colour]) => `${a},${b},${colour},${a > 30 ? 'high' : 'low'}`);
  await writeFile(data, ['a,b,colour,level', ...lines].join('\n'));
  const given = { model: 'mlp', epochs: 3, validationSplit: 0 } as const;
  const { outputDir } = await trainUnderTest(engine, folder, given, { data });
  const model = join(outputDir, 'model.zip');

  // Deviations of 0..59 and of (row·7) % 5 over all rows, with nothing held out.
  const [meanA, deviationA] = [29.5, Math.sqrt((60 ** 2 - 1) / 12)];
  const [meanB, deviationB] = [2, Math.sqrt(2)];
  const encoded = [
    [(5 - meanA) / deviationA, (1 - meanB) / deviationB, 0, 1],
    [(55.5 - meanA) / deviationA, 0, 1, 0],
    [0, (4 - meanB) / deviationB, 0, 0],
  ];
  const answers = await askModel(model, encoded, [4]);
  const expected = answers.map((probabilities, index) => {
    const best = probabilities.indexOf(Math.max(...probabilities));
    return {
      example: index + 1,
      label: ['high', 'low'][best],
      probability: expect.closeTo(probabilities[best]!, 5),
      probabilities: near(probabilities),
    };
  });

  const csv = await predictUnderTest(
    engine,
    folder,
    model,
    'colour;b;ignored;a\r\nred;1;x;5\r\nblue;NA;y;55.5\r\ngreen;4;"z;z";\r\n',
    { batchSize: 2 },
  );
  expect(csv.json).toEqual({ labels: ['high', 'low'], predictions: expected });
  expect(csv.csv[0]).toBe('example,label,probability,p:high,p:low');
  const [example, label, ...numbers] = csv.csv[1]!.split(',');
  expect([example, label]).toEqual(['1', expected[0]!.label]);
  expect(numbers.map(Number)).toEqual([expected[0]!.probability, ...expected[0]!.probabilities]);
  expect(csv.told.get('examplesPerSecond')).toBeGreaterThan(0);
  expect(csv.lines.join('\n')).toContain('3 rows of CSV, in batches of 2');

  const objects = [
    { a: 5, b: '1', colour: 'red', level: 'low' },
    { a: 55.5, b: null, colour: 'blue' },
    { a: '', b: 4, colour: 'green' },
  ];
  const lists = [
    [5, 1, 'red'],
    [55.5, null, 'blue'],
    [null, 4, 'green'],
  ];
  for (const json of [objects, lists, { instances: objects }])
    expect((await predictUnderTest(engine, folder, model, JSON.stringify(json))).json.predictions).toEqual(
      expected,
    );

  const refused: [string, string][] = [
    ['a,kolour\n1,red\n', 'The CSV file has no column "b", "colour", which the model needs.'],
    ['a,b,colour\n1,2,red\n1,x,red\n', 'Row 2, column "b": "x" is not a number.'],
    ['a,b,colour\n', 'The input has no examples.'],
    ['[{"a":1,"b":2}]', 'Row 1 has no column "colour", which the model needs.'],
    ['[[1,2]]', 'Row 1 has 2 values, but the model takes 3 columns.'],
    ['[[1,2,["red"]]]', 'Row 1, column "colour": the value is neither a text nor a number.'],
    ['[7]', 'Row 1 is neither a list nor an object.'],
  ];
  for (const [input, message] of refused)
    await expect(predictUnderTest(engine, folder, model, input)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message,
    });
  const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await expect(predictUnderTest(engine, folder, model, picture)).rejects.toThrow('was trained on a table');
});

test('a picture model takes a zip of images in any folders, one image, and JSON, as it was trained', async () => {
  const square = (background: string, size: number) =>
    sharp({ create: { width: size, height: size, channels: 3, background } });
  const [red, black] = [
    await square('#ff0000', 20).png().toBuffer(),
    await square('#000', 33).jpeg().toBuffer(),
  ];
  const data = join(folder, 'train.zip');
  await writeZip(data, { 'black/1.jpg': black, 'black/2.jpg': black, 'red/1.png': red, 'red/2.png': red });
  const given = { model: 'cnn', epochs: 2, imageSize: 8, validationSplit: 0 } as const;
  const { outputDir } = await trainUnderTest(engine, folder, given, { data });
  const model = join(outputDir, 'model.zip');
  const encoded = [
    Array.from({ length: 192 }, () => 0),
    Array.from({ length: 192 }, (_, at) => (at % 3 ? 0 : 1)),
  ];
  const [ofBlack, ofRed] = (await askModel(model, encoded, [8, 8, 3])).map(near);

  const pictures = join(folder, 'pictures.zip');
  await writeZip(pictures, { 'z.png': red, '=a/b/c.jpg': black, '__MACOSX/z.png': 'x', '.DS_Store': 'x' });
  const zip = await predictUnderTest(engine, folder, model, await readFile(pictures));
  expect(zip.json.labels).toEqual(['black', 'red']);
  expect(zip.json.predictions).toMatchObject([
    { example: '=a/b/c.jpg', probabilities: ofBlack },
    { example: 'z.png', probabilities: ofRed },
  ]);
  expect(zip.csv[1]).toMatch(/^"'=a\/b\/c\.jpg",/);

  const one = await predictUnderTest(engine, folder, model, red);
  expect(one.json.predictions).toMatchObject([{ example: 1, probabilities: ofRed }]);
  const nested = Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => [1, 0, 0]));
  const json = await predictUnderTest(engine, folder, model, JSON.stringify([nested, encoded[0]]));
  expect(json.json.predictions).toMatchObject([{ probabilities: ofRed }, { probabilities: ofBlack }]);

  await writeZip(pictures, { 'a/good.png': red, 'a/notes.txt': 'hello' });
  await expect(predictUnderTest(engine, folder, model, await readFile(pictures))).rejects.toThrow(
    'The picture "a/notes.txt" can not be used: it is not a PNG',
  );
  await writeZip(pictures, {});
  await expect(predictUnderTest(engine, folder, model, await readFile(pictures))).rejects.toThrow(
    'The input has no examples.',
  );
  await expect(predictUnderTest(engine, folder, model, red.subarray(0, 60))).rejects.toThrow(
    'The picture can not be used: it is damaged',
  );
});
