import * as tf from '@tensorflow/tfjs-core';
import type { Preprocessing } from '../model/preprocessing.js';

/** A data set in memory, ready for a model: training examples first, then those held out. */
export interface Examples {
  /** One example after the other, each as many values as `shape` says, multiplied with `scale` when they are used. */
  values: Uint8Array | Float32Array;
  scale: number;
  /** Shape of one example, without the batch. */
  shape: number[];
  /** Place in `classes`, by example. */
  labels: Uint16Array;
  classes: string[];
  trainingCount: number;
  preprocessing: Preprocessing;
}

export const valuesPerExample = (shape: readonly number[]): number =>
  shape.reduce((size, side) => size * side, 1);

/** These examples as one batch: float32 [rows.length, ...shape]. The caller disposes of it. */
export function inputBatch({ values, scale, shape }: Examples, rows: ArrayLike<number>): tf.Tensor {
  const size = valuesPerExample(shape);
  const batch = new Float32Array(rows.length * size);
  for (let place = 0; place < rows.length; place++) {
    const from = rows[place]! * size;
    for (let index = 0; index < size; index++) batch[place * size + index] = values[from + index]! * scale;
  }
  return tf.tensor(batch, [rows.length, ...shape], 'float32');
}

/** Their labels, one-hot: float32 [rows.length, classes]. The caller disposes of it. */
export function labelBatch({ labels, classes }: Examples, rows: ArrayLike<number>): tf.Tensor {
  const batch = new Float32Array(rows.length * classes.length);
  for (let place = 0; place < rows.length; place++) batch[place * classes.length + labels[rows[place]!]!] = 1;
  return tf.tensor(batch, [rows.length, classes.length], 'float32');
}
