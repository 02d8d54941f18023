import * as tf from '@tensorflow/tfjs-core';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import { modelFiles, type ModelFiles } from '../model/model-files.js';

/** Weights of a dense layer of two inputs and two outputs: [1, 2] becomes softmax([7, 10.5]). */
export const kernel = [1, 2, 3, 4];
export const bias = [0, 0.5];

/** What that layer makes of a row. */
export function denseSoftmax([a = 0, b = 0]: number[]): number[] {
  const sums = [a * kernel[0]! + b * kernel[2]! + bias[0]!, a * kernel[1]! + b * kernel[3]! + bias[1]!];
  const powers = sums.map((sum) => Math.exp(sum - Math.max(...sums)));
  return powers.map((power) => power / powers.reduce((all, one) => all + one, 0));
}

/** The files of a dense layer of two inputs and `kernel` and `bias`, as TensorFlow.js saves it. */
export async function layersModelFiles(
  metadata: object = {},
  activation: 'softmax' | 'linear' = 'softmax',
): Promise<ModelFiles> {
  const model = sequential({ layers: [layers.dense({ units: 2, inputShape: [2], activation })] });
  tf.tidy(() => model.setWeights([tf.tensor2d(kernel, [2, 2]), tf.tensor1d(bias)]));
  const files = await modelFiles(model, { metadata, includeOptimizer: false });
  model.dispose();
  return files;
}

export const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

const node = (name: string, op: string, input: string[] = [], attr: object = {}) => ({
  ...{ name, op, input },
  attr: { T: { type: 'DT_FLOAT' }, dtype: { type: 'DT_FLOAT' }, ...attr },
});
const shapeOf = (...sides: number[]) => ({ shape: { dim: sides.map((size) => ({ size: String(size) })) } });

/** The same layer as a graph model by hand: Placeholder, MatMul, BiasAdd, `end`, and an Identity as converters put it. */
export function graphModelFiles(end = 'Softmax', batch = -1): Record<string, Uint8Array | string> {
  const modelTopology = {
    node: [
      node('x', 'Placeholder', [], { shape: shapeOf(batch, 2) }),
      node('kernel', 'Const'),
      node('bias', 'Const'),
      node('sums', 'MatMul', ['x', 'kernel'], { transpose_a: { b: false }, transpose_b: { b: false } }),
      node('biased', 'BiasAdd', ['sums', 'bias'], { data_format: { s: 'TkhXQw==' } }),
      node('end', end, ['biased']),
      node('Identity', 'Identity', ['end']),
    ],
    library: {},
    versions: { producer: 1, minConsumer: 1 },
  };
  const weights = [
    { name: 'kernel', shape: [2, 2], dtype: 'float32' },
    { name: 'bias', shape: [2], dtype: 'float32' },
  ];
  const weightsManifest = [{ paths: ['group1-shard1of1.bin'], weights }];
  return {
    'model.json': JSON.stringify({ format: 'graph-model', modelTopology, weightsManifest }),
    'group1-shard1of1.bin': floats(...kernel, ...bias),
  };
}
