import type * as tf from '@tensorflow/tfjs-core';

/** A model ready to run, whatever its format: one input, one output. */
export interface LoadedModel {
  /** Path of its model.json, for sentences. */
  where: string;
  format: 'layers' | 'graph';
  /** Shape of one example, without the batch. */
  inputShape: number[];
  inputType: 'float32' | 'int32';
  /** The batch size that is built into it, or null for any. */
  fixedBatch: number | null;
  /** Its output is a softmax: probabilities of classes. */
  isSoftmax: boolean;
  /** What its author stored with it; not yet checked. */
  metadata: Readonly<Record<string, unknown>>;
  /** The caller disposes of the result. */
  run(batch: tf.Tensor): Promise<tf.Tensor>;
}
