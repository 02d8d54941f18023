import * as tf from '@tensorflow/tfjs-core';
// It is this package that registers the gradients.
import { layers } from '@tensorflow/tfjs-layers';
import { type EngineCase, opCase, waves } from './case.js';

/** The gradient of a weighted sum of `f` at `x`: weighted, so that no error can cancel out. */
const gradientOf = (f: (x: tf.Tensor) => tf.Tensor, x: tf.Tensor): tf.Tensor =>
  tf.grad((at) => {
    const y = f(at);
    return tf.sum(tf.mul(y, waves(y.shape, 0.3)));
  })(x);

const picture = (shift = 0) => waves<tf.Tensor4D>([2, 8, 8, 3], shift);
const taps = () => waves<tf.Tensor4D>([3, 3, 3, 4]);

/** What training needs beside the operations themselves. */
export const gradientCases: readonly EngineCase[] = [
  opCase('gradient of a convolution by its input', () =>
    gradientOf((x) => tf.conv2d(x as tf.Tensor4D, taps(), 1, 'same'), picture()),
  ),
  opCase('gradient of a convolution by its filter', () =>
    gradientOf((filter) => tf.conv2d(picture(), filter as tf.Tensor4D, 1, 'same'), taps()),
  ),
  opCase('gradient of a convolution with a stride by its filter', () =>
    gradientOf((filter) => tf.conv2d(picture(), filter as tf.Tensor4D, 2, 'valid'), taps()),
  ),
  opCase('gradient of max pooling where all is negative', () =>
    gradientOf((x) => tf.maxPool(x as tf.Tensor4D, 2, 2, 'same'), picture(-3)),
  ),
  opCase('gradient of average pooling', () =>
    gradientOf((x) => tf.avgPool(x as tf.Tensor4D, 2, 2, 'valid'), picture()),
  ),
  opCase('gradient of a dense layer', () =>
    gradientOf((weights) => tf.relu(tf.matMul(waves([6, 10]), weights)), waves([10, 7])),
  ),
  opCase('gradient of cross-entropy', () =>
    gradientOf(
      (logits) => {
        const labels = tf.oneHot(tf.tensor1d([0, 2, 1, 2], 'int32'), 3);
        return tf.losses.softmaxCrossEntropy(labels, logits);
      },
      waves([4, 3]),
    ),
  ),
  opCase('gradient of softmax, tanh and sigmoid', () =>
    gradientOf((x) => tf.sigmoid(tf.tanh(tf.softmax(x))), waves([4, 9])),
  ),
  opCase('a recurrent layer', () => {
    const layer = layers.lstm({ units: 5, returnSequences: true });
    const input = waves([2, 4, 3]);
    // The first call makes the weights, among them an orthogonal matrix, which is random and replaced at once.
    layer.apply(input);
    layer.setWeights(layer.getWeights().map((weight) => waves(weight.shape)));
    const output = layer.apply(input) as tf.Tensor;
    const kept = tf.clone(output);
    layer.dispose();
    return kept;
  }),
  {
    name: 'three steps of Adam',
    tolerance: 1e-5,
    async compute() {
      const weights = tf.tidy(() => tf.variable(waves([6, 4])));
      const optimizer = tf.train.adam(0.01);
      for (let step = 0; step < 3; step++) {
        optimizer.minimize(() =>
          tf.mean(tf.square(tf.sub(tf.matMul(waves([8, 6]), weights), waves([8, 4])))),
        );
      }
      const values = [...(await weights.data())];
      optimizer.dispose();
      weights.dispose();
      return values;
    },
  },
];
