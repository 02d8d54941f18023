import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import sharp from 'sharp';
import type { Engine } from '../../engines/engine.js';
import { wasmLoader } from '../../engines/wasm.js';
import { writeZip } from '../archive/write-zip.js';
import { WorkloadStopped } from '../define.js';
import { modelFiles } from '../model/model-files.js';
import { denseSoftmax, graphModelFiles, layersModelFiles } from './models-under-test.js';
import { predictUnderTest } from './predicted-under-test.js';

let folder: string;
let model: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-predict-'));
  model = join(folder, 'model.zip');
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rows = [
  [0.5, 1],
  [-2, 0],
  [1e-3, -4],
];
const csv = ['x,y', ...rows.map((row) => row.join(','))].join('\n');
const expected = rows.map(denseSoftmax);

/** What is told of classes that have these names. */
const told = (labels: string[]) =>
  expected.map((probabilities, index) => ({
    example: index + 1,
    label: labels[probabilities[0]! > probabilities[1]! ? 0 : 1],
    probability: expect.closeTo(Math.max(...probabilities), 5),
    probabilities: probabilities.map((value) => expect.closeTo(value, 5) as unknown),
  }));

test('a layers model by hand, in a folder of the archive, with or without labels', async () => {
  const files = Object.entries(await layersModelFiles({ author: 'me', labels: ['-1', '=A1, "x"'] }));
  await writeZip(model, Object.fromEntries(files.map(([name, bytes]) => [`my model/${name}`, bytes])));
  const labelled = await predictUnderTest(engine, folder, model, csv);
  expect(labelled.json.predictions).toEqual(told(['-1', '=A1, "x"']));
  expect(labelled.csv[0]).toBe('example,label,probability,p:-1,"p:=A1, ""x"""');
  const starts = ['1,"\'=A1, ""x""",0.8807', '2,-1,0.8175', '3,-1,0.9706'];
  expect(labelled.csv.slice(1).map((row, index) => row.slice(0, starts[index]!.length))).toEqual(starts);
  await writeZip(model, await layersModelFiles());
  const plain = await predictUnderTest(engine, folder, model, csv, { batchSize: 1 });
  expect(plain.json).toEqual({ labels: ['0', '1'], predictions: told(['0', '1']) });
});

test('raw values of a model that is no classifier, of JSON lists as nested or flat as they come', async () => {
  await writeZip(model, await layersModelFiles({}, 'linear'));
  const { json, csv: lines } = await predictUnderTest(engine, folder, model, '{"instances":[[1,2],[0,0]]}');
  expect(json).toEqual({
    predictions: [
      { example: 1, values: [7, 10.5] },
      { example: 2, values: [0, 0.5] },
    ],
  });
  expect(lines).toEqual(['example,value_0,value_1', '1,7,10.5', '2,0,0.5']);

  const sum = sequential({ layers: [layers.globalAveragePooling2d({ inputShape: [2, 2, 1] })] });
  await writeZip(model, await modelFiles(sum, { metadata: {}, includeOptimizer: false }));
  sum.dispose();
  const nested = await predictUnderTest(engine, folder, model, '[[[[1],[2]],[[3],[4]]],[4,4,4,8]]');
  expect(nested.json.predictions.map(({ values }) => values)).toEqual([[2.5], [5]]);
  expect(nested.csv[0]).toBe('example,value');
  const grey = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#333333' } })
    .png()
    .toBuffer();
  const picture = await predictUnderTest(engine, folder, model, grey);
  expect(picture.json.predictions[0]!.values).toEqual([expect.closeTo(0x33 / 255, 5)]);
});

test('a graph model by hand, with a batch of any size and with one of its own', async () => {
  for (const batch of [-1, 2]) {
    await writeZip(model, graphModelFiles('Softmax', batch));
    const { json, lines } = await predictUnderTest(engine, folder, model, csv);
    expect(json).toEqual({ labels: ['0', '1'], predictions: told(['0', '1']) });
    expect(lines.join('\n')).toContain(`in batches of ${batch === 2 ? 2 : 64}`);
  }
  await writeZip(model, graphModelFiles('Relu'));
  const raw = await predictUnderTest(engine, folder, model, 'x,y\n1,2\n-5,0\n');
  expect(raw.json.predictions.map(({ values }) => values)).toEqual([
    [7, 10.5],
    [0, 0],
  ]);
});

test('a graph model with branches', async () => {
  const files = graphModelFiles('Relu');
  const json = JSON.parse(String(files['model.json'])) as Record<string, never>;
  const { node }: { node: object[] } = json['modelTopology']!;
  const { weights }: { weights: object[] } = json['weightsManifest']![0];
  node.push({ name: 'yes', op: 'Const', input: [], attr: {} });
  node.push({ name: 'branch', op: 'Switch', input: ['biased', 'yes'], attr: {} });
  node.push({ name: 'merged', op: 'Merge', input: ['branch', 'branch:1'], attr: {} });
  Object.assign(node[5]!, { input: ['merged'] });
  weights.push({ name: 'yes', shape: [], dtype: 'bool' });
  const shard = Buffer.concat([files['group1-shard1of1.bin'] as Uint8Array, Buffer.of(1)]);
  await writeZip(model, { 'model.json': JSON.stringify(json), 'group1-shard1of1.bin': shard });
  const { json: results } = await predictUnderTest(engine, folder, model, 'x,y\n1,2\n-5,0\n', {
    batchSize: 1,
  });
  expect(results.predictions.map(({ values }) => values)).toEqual([
    [7, 10.5],
    [0, 0],
  ]);
});

test('batches are made smaller where so many examples would not fit in memory', async () => {
  const wide = sequential();
  wide.add(layers.repeatVector({ n: 2 ** 21, inputShape: [2] }));
  wide.add(layers.globalAveragePooling1d({}));
  await writeZip(model, await modelFiles(wide, { metadata: {}, includeOptimizer: false }));
  wide.dispose();
  const { json, lines } = await predictUnderTest(engine, folder, model, '[[1,2],[3,4]]');
  expect(json.predictions.map(({ values }) => values)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(lines.join('\n')).toMatch(/batches of (1\d|2\d|31) instead of 64: one example takes \d+ bytes/);
});

test('it stops where it is asked to', async () => {
  await writeZip(model, graphModelFiles());
  let progressed = 0;
  const stopped = predictUnderTest(engine, folder, model, csv, {
    batchSize: 1,
    progress: () => void progressed++,
    stopIfAsked: () => {
      if (progressed >= 2) throw new WorkloadStopped();
    },
  });
  await expect(stopped).rejects.toBeInstanceOf(WorkloadStopped);
  expect(progressed).toBe(2);
});

test.each([
  ['x,y\n1,2,3\n', 'line 2: a row has another number of fields'],
  ['x,y,z\n1,2,3\n', 'has 3 columns, but the model takes 2 numbers'],
  ['x,y\n1,NaN\n', 'Row 1, column "y": "NaN" is not a number.'],
  ['x,y\n1,2\n1,\n', 'Row 2, column "y": "" is not a number.'],
  ['x,y\n1,1e40\n', 'Row 1, column "y": "1e40" is not a number.'],
  ['x,y\n', 'The input has no examples.'],
  ['', 'The input is empty.'],
  [' \n\n', 'The input is empty.'],
  ['[]', 'The input has no examples.'],
  ['[[1,2],[1,2', 'The JSON file can not be read'],
  ['{"rows":[]}', 'must be a list of rows'],
  ['[[1,2,3]]', 'the value at [0] is not a list of 2'],
  ['[[1,"2"]]', 'the value at [0][1] is not a number'],
  ['[[1,1e999]]', 'the value at [0][1] is not a number'],
  ['[[[1],[2]]]', 'the value at [0][0] is not a number'],
  ['[{"x":1,"y":2}]', 'the value at [0] is not a list of 2'],
  [Buffer.from([0x61, 0x2c, 0x62, 0x0a, 0x31, 0x2c, 0xff, 0x0a]), 'not UTF-8 text'],
  [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'takes no pictures: its input is [2]'],
  [Buffer.from('PK\x03\x04'), 'takes no pictures'],
])('an input that does not fit (%#) is refused in one sentence', async (input, sentence) => {
  await writeZip(model, graphModelFiles());
  await expect(predictUnderTest(engine, folder, model, input)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(sentence) as unknown,
  });
});
