import * as tf from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import { type Examples, inputBatch } from './examples.js';

/** How well a model does on examples. */
export interface Measured {
  examples: number;
  /** Mean cross-entropy, in nats. */
  loss: number;
  /** Share of examples whose most probable class is the right one. */
  accuracy: number;
  /** Rows are the true classes, columns what the model said, in the order of the classes. */
  confusion: number[][];
}

/** Keeps the logarithm finite for a class that the model rules out. */
const smallest = 1e-7;

/** Measures on the rows from `first` up to `end`, `afterBatch` between batches. */
export async function measure(
  model: LayersModel,
  examples: Examples,
  [first, end]: [number, number],
  batchSize: number,
  afterBatch: () => Promise<void>,
): Promise<Measured> {
  const { classes, labels } = examples;
  const confusion = classes.map(() => classes.map(() => 0));
  let [loss, right] = [0, 0];
  for (let from = first; from < end; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, end - from) }, (_, index) => from + index);
    const probabilities = await predictBatch(model, examples, rows);
    for (const [place, row] of rows.entries()) {
      const label = labels[row]!;
      const own = probabilities.subarray(place * classes.length, (place + 1) * classes.length);
      const said = own.indexOf(Math.max(...own));
      loss -= Math.log(Math.max(smallest, own[label]!));
      if (said === label) right++;
      if (said >= 0) confusion[label]![said]!++;
    }
    await afterBatch();
  }
  const count = end - first;
  return { examples: count, loss: loss / count, accuracy: right / count, confusion };
}

async function predictBatch(model: LayersModel, examples: Examples, rows: number[]): Promise<Float32Array> {
  const output = tf.tidy(() => model.predictOnBatch(inputBatch(examples, rows)) as tf.Tensor);
  try {
    return (await output.data()) as Float32Array;
  } finally {
    output.dispose();
  }
}
