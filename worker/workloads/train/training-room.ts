import type { LayersModel } from '@tensorflow/tfjs-layers';

const floatBytes = 4;
/**
 * Of each layer's output for a batch: before its activation and after it, both with their gradients, and what convolutions and poolings need for
 * theirs. Measured on wasm with both models at 28 to 224 pixels: the heap grew by 0.96 to 1.13 of this with a cnn, by half of it with a mlp.
 */
const copiesOfActivations = 6;
/** Of each weight: its gradient and the two moments of Adam. */
const copiesOfWeights = 3;

/** Bytes that one training step with so many examples needs at its peak, beyond the model's own weights: closely for a cnn. */
export function trainingBytes(model: LayersModel, batchSize: number): number {
  const activations = model.layers.reduce((sum, { outputShape }) => sum + valuesOf(outputShape), 0);
  const weights = model.countParams();
  return floatBytes * (copiesOfActivations * batchSize * activations + copiesOfWeights * weights);
}

/** Numbers of one example. These models have one output for each layer. */
const valuesOf = (shape: LayersModel['outputShape']): number =>
  (shape as (number | null)[]).reduce<number>((product, size) => product * (size ?? 1), 1);
