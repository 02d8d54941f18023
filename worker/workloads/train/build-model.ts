import * as tf from '@tensorflow/tfjs-core';
import { initializers, layers, type LayersModel, sequential } from '@tensorflow/tfjs-layers';
import type { ModelTrainParams } from '@gjm/core/workload/model-train.js';
import { WorkloadFailure } from '../define.js';

/** Pictures smaller than this leave nothing for a second pooling. */
const smallestSide = 8;

/**
 * A new classifier, ready to train with Adam on cross-entropy: probabilities of [batch, classes] from [batch, ...shape]. Its first weights
 * depend on `seed` alone.
 */
export function buildModel(
  shape: readonly number[],
  classes: number,
  { model: form, seed, learningRate }: ModelTrainParams,
): LayersModel {
  let count = 0;
  // Glorot and Bengio's uniform start (2010), from a seed of its own for each layer.
  const kernelInitializer = () => initializers.glorotUniform({ seed: seed * 100 + ++count });
  const dense = (units: number) =>
    layers.dense({ units, activation: 'relu', kernelInitializer: kernelInitializer() });
  const convolution = (filters: number) =>
    layers.conv2d({
      filters,
      kernelSize: 3,
      padding: 'same',
      activation: 'relu',
      kernelInitializer: kernelInitializer(),
    });

  const model = sequential();
  model.add(layers.inputLayer({ inputShape: [...shape] }));
  if (form === 'cnn') {
    if (shape.length !== 3 || shape[0]! < smallestSide)
      throw new WorkloadFailure('INVALID_INPUT', 'A cnn needs pictures: choose mlp for this data.');
    for (const filters of [16, 32]) {
      model.add(convolution(filters));
      model.add(layers.maxPooling2d({ poolSize: 2 }));
    }
  }
  if (shape.length > 1) model.add(layers.flatten());
  model.add(dense(form === 'cnn' ? 64 : 128));
  if (form === 'mlp') model.add(dense(64));
  model.add(layers.dense({ units: classes, activation: 'softmax', kernelInitializer: kernelInitializer() }));
  compile(model, learningRate);
  return model;
}

const compile = (model: LayersModel, learningRate: number): void =>
  model.compile({
    optimizer: tf.train.adam(learningRate),
    loss: 'categoricalCrossentropy',
    metrics: ['accuracy'],
  });
