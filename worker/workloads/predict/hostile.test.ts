import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TextReader, ZipWriter } from '@zip.js/zip.js';
import { type Engine, EngineOutOfMemory } from '../../engines/engine.js';
import { wasmLoader } from '../../engines/wasm.js';
import { writeZip } from '../archive/write-zip.js';
import { floats, graphModelFiles, layersModelFiles } from './models-under-test.js';
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

type Files = Record<string, Uint8Array | string>;
interface Spec {
  name: string;
  shape: number[];
  dtype: string;
  quantization?: object;
}
interface Json {
  format?: string;
  modelTopology: Record<string, unknown> & {
    node: { name: string; op: string; attr: Record<string, unknown> }[];
  };
  weightsManifest: { paths: string[]; weights: Spec[] }[];
  userDefinedMetadata?: object;
}

/** Model files whose model.json was changed by hand. */
function changed(files: Files, change: (json: Json) => void): Files {
  const json = JSON.parse(String(files['model.json'])) as Json;
  change(json);
  return { ...files, 'model.json': JSON.stringify(json) };
}
/** The layers model with another text in the place of one in its model.json. */
async function replaced(from: string, to: string): Promise<Files> {
  const files = await layersModelFiles();
  const text = String(files['model.json']);
  if (!text.includes(from)) throw new Error(`There is no ${from} to replace.`);
  return { ...files, 'model.json': text.replace(from, to) };
}

async function refusal(files: Files, input: string | Uint8Array = 'x,y\n1,2\n'): Promise<unknown> {
  await writeZip(model, files);
  return predictUnderTest(engine, folder, model, input).catch((error: unknown) => error);
}
const invalid = (sentence: string) => ({
  code: 'INVALID_INPUT',
  message: expect.stringContaining(sentence) as unknown,
});

describe('an archive', () => {
  test('that is none, is cut off or encrypted', async () => {
    await writeFile(model, 'PK and then nothing that a zip has');
    await expect(predictUnderTest(engine, folder, model, '[]')).rejects.toMatchObject(
      invalid('can not be read as a zip'),
    );
    const writer = new ZipWriter(Writable.toWeb(createWriteStream(model)), {
      useWebWorkers: false,
      password: 'secret',
    });
    await writer.add('model.json', new TextReader('{}'));
    await writer.close();
    await expect(predictUnderTest(engine, folder, model, '[]')).rejects.toMatchObject(
      invalid('"model.json" is encrypted'),
    );
  });

  test.each<[Files, string]>([
    [{}, 'The archive has no model.json. Accepted are the model.zip of a training'],
    [
      { 'saved_model.pb': 'x', 'variables/variables.index': 'x' },
      '"saved_model.pb" is of a format that is not read',
    ],
    [{ 'model.weights.h5': 'x', 'config.json': '{}' }, '"model.weights.h5" is of a format that is not read'],
    [{ 'a/b/model.json': '{}' }, 'has no model.json'],
    [{ 'a/model.json': '{}', 'b/model.json': '{}' }, 'more than one model: "a/model.json", "b/model.json"'],
    [{ 'model.json': '{"modelTopology"' }, '"model.json" is no TensorFlow.js model: it is not JSON'],
    [{ 'model.json': '[]' }, 'is not what it should be. Accepted are'],
    [
      { 'model.json': '{"modelTopology":{},"weightsManifest":[]}' },
      'neither a layers model nor a graph model',
    ],
    [{ 'model.json': `{"x":"${'x'.repeat(40_000_000)}"}` }, 'unpacks to more than 200 times'],
  ])('without a model that is read (%#) says what is accepted', async (files, sentence) => {
    expect(await refusal(files)).toMatchObject(invalid(sentence));
  });
});

describe('weights', () => {
  const shard = 'group1-shard1of1.bin';
  test.each<[string, (json: Json) => void, string]>([
    [
      'outside',
      (json) => (json.weightsManifest[0]!.paths = ['../etc/passwd']),
      'The shard ../etc/passwd does not lie beside',
    ],
    ['of a folder', (json) => (json.weightsManifest[0]!.paths = ['..']), 'The shard .. does not lie beside'],
    [
      'that are missing',
      (json) => (json.weightsManifest[0]!.paths = ['x.bin']),
      'The weight file "x.bin" of "model.json" is not in',
    ],
    ['named twice', (json) => (json.weightsManifest[0]!.paths = [shard, shard]), 'names a weight file twice'],
    [
      'with a huge shape',
      (json) => (json.weightsManifest[0]!.weights[0]!.shape = [2e9, 2e9]),
      'more than 134217728 numbers',
    ],
    [
      'with a negative side',
      (json) => (json.weightsManifest[0]!.weights[0]!.shape = [-2, -2]),
      'has no usable shape.0',
    ],
    [
      'that are text',
      (json) => (json.weightsManifest[0]!.weights[0]!.dtype = 'string'),
      'the weight "kernel" has no usable dtype: only float32',
    ],
    [
      'that claim too much',
      (json) => (json.weightsManifest[0]!.weights[0]!.shape = [2, 3]),
      'have 24 bytes, but its weights need 32',
    ],
    [
      'quantized without a scale',
      (json) =>
        (json.weightsManifest[0]!.weights = [
          { name: 'kernel', shape: [24], dtype: 'float32', quantization: { dtype: 'uint8' } },
        ]),
      'can not be loaded',
    ],
    [
      'of another shape',
      (json) => (json.weightsManifest[0]!.weights[0]!.shape = [4, 1]),
      'The model of "model.json" can not be run',
    ],
    [
      'of another name',
      (json) => (json.weightsManifest[0]!.weights[0]!.name = 'other'),
      'The model of "model.json" can not be',
    ],
  ])('%s are refused', async (_, change, sentence) => {
    expect(await refusal(changed(graphModelFiles(), change))).toMatchObject(invalid(sentence));
  });

  test('that are cut off, or have bytes to spare, are refused', async () => {
    const [cut, extra] = [floats(1, 2, 3), floats(1, 2, 3, 4, 5, 6, 7)];
    expect(await refusal({ ...graphModelFiles(), [shard]: cut })).toMatchObject(
      invalid('have 12 bytes, but its weights need 24'),
    );
    expect(await refusal({ ...(await layersModelFiles()), 'weights.bin': extra })).toMatchObject(
      invalid('have 28 bytes, but its weights need 24'),
    );
  });

  test('of a layers model that do not fit its layers are refused', async () => {
    expect(await refusal(await replaced('"shape":[2,2]', '"shape":[1,4]'))).toMatchObject(
      invalid('can not be loaded: Shape mismatch'),
    );
    expect(await refusal(await replaced('/bias"', '/other"'))).toMatchObject(invalid('can not be loaded'));
  });
});

describe('a layers model', () => {
  test.each([
    ['"class_name":"Dense"', '"class_name":"Lambda"', 'can not be loaded: Unknown layer: Lambda.'],
    ['"units":2', '"units":2000000000', 'its layers need more weights than its files have'],
    [
      '"batch_input_shape":[null,2]',
      '"batch_input_shape":[null,2000000000]',
      'its layers need more weights than its files have',
    ],
    [
      '"batch_input_shape":[null,2]',
      '"batch_input_shape":[null,null,2]',
      'does not say the whole shape of its input, a batch of examples: it is [any, any, 2]',
    ],
    [
      '"layers":[',
      '"layers":[{"class_name":"RepeatVector","config":{"n":2000000000,"batch_input_shape":[null,2],"name":"blow"}},',
      'The layer "blow" of "model.json" makes 4000000000 numbers of one example',
    ],
    ['"units":2', '"units":"two"', 'can not be loaded'],
    ['"class_name":"Sequential"', '"class_name":"Model"', 'can not be loaded'],
    ['"format":"layers-model"', '"format":"graph-model"', 'neither a layers model nor a graph model'],
  ])('with %s as %s is refused', async (from, to, sentence) => {
    const files = await replaced(from, to);
    const began = performance.now();
    expect(await refusal(files)).toMatchObject(invalid(sentence));
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test.each([
    [{ labels: ['a'] }, 'its labels are not a list of 2 texts'],
    [{ labels: [1, 2] }, 'its labels are not a list of 2 texts'],
    [{ preprocessing: { type: 'x' } }, 'its preprocessing is not one that is known'],
    [
      { preprocessing: { type: 'image', width: 1, height: 1, channels: 3 } },
      'makes 3 numbers of an example, the model takes 2',
    ],
  ])('with %j stored in it is refused', async (metadata, sentence) => {
    expect(await refusal(await layersModelFiles(metadata))).toMatchObject(invalid(sentence));
  });
});

describe('a graph model', () => {
  const operation = (name: string, op: string) => (json: Json) =>
    void (json.modelTopology.node.find((node) => node.name === name)!.op = op);
  const einsum = (json: Json) => {
    const node = json.modelTopology.node.find(({ name }) => name === 'sums')!;
    const equation = { s: Buffer.from('ij,jk->ik').toString('base64') };
    Object.assign(node, { op: 'Einsum', attr: { N: { i: '2' }, T: { type: 'DT_FLOAT' }, equation } });
  };
  test.each<[string, (json: Json) => void, object]>([
    ['an operation nobody knows', operation('end', 'ReadFile'), invalid('can not be run: ')],
    [
      'a kernel that the engine lacks',
      einsum,
      {
        code: 'NO_ENGINE',
        message: expect.stringContaining('needs the kernel Einsum, which the engine wasm does not have'),
      },
    ],
    ['no versions', (json) => delete json.modelTopology['versions'], invalid('can not be loaded')],
    [
      'an input of any shape',
      (json) => (json.modelTopology.node[0]!.attr['shape'] = {}),
      invalid('does not say the whole shape of its input'),
    ],
    ['two inputs', operation('bias', 'Placeholder'), invalid('has 2 inputs and 1 outputs')],
    ['no input', operation('x', 'Const'), invalid('has 0 inputs')],
  ])('with %s is refused', async (_, change, expected) => {
    expect(await refusal(changed(graphModelFiles(), change))).toMatchObject(expected);
  });

  test('that fills more memory than there is ends before it has it, and the next one runs', async () => {
    const filled = changed(graphModelFiles(), ({ modelTopology, weightsManifest }) => {
      const named = (name: string) => modelTopology.node.find((node) => node.name === name)!;
      Object.assign(named('sums'), { op: 'Fill', input: ['kernel', 'bias'] });
      Object.assign(named('biased'), { op: 'AddV2', input: ['sums', 'x'] });
      weightsManifest[0]!.weights = [
        { name: 'kernel', shape: [2], dtype: 'int32' },
        { name: 'bias', shape: [], dtype: 'float32' },
      ];
    });
    const dims = new Uint8Array(Int32Array.of(60_000, 60_000, 0).buffer);
    expect(await refusal({ ...filled, 'group1-shard1of1.bin': dims })).toBeInstanceOf(EngineOutOfMemory);
    expect(await refusal(graphModelFiles())).toMatchObject({ csv: { length: 2 } });
  });
});
