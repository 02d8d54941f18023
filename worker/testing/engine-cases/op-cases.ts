import * as tf from '@tensorflow/tfjs-core';
import { type EngineCase, indices, opCase, waves } from './case.js';

const picture = (shift = 0) => waves<tf.Tensor4D>([2, 9, 8, 3], shift);
const taps = () => waves<tf.Tensor4D>([3, 3, 3, 4]);
const rows = (shift = 0) => waves<tf.Tensor2D>([5, 12], shift);

/** What the kinds' models and their own code compute with, and what models that users bring are most often made of. */
export const opCases: readonly EngineCase[] = [
  opCase('matMul of transposed sides', () => tf.matMul(waves([12, 32]), waves([7, 12]), true, true)),
  opCase('a dense layer in one', () =>
    tf.fused.matMul({ a: rows(), b: waves([12, 6]), bias: waves([6]), activation: 'relu' }),
  ),
  opCase('convolution, same', () => tf.conv2d(picture(), taps(), 1, 'same')),
  opCase('convolution with a stride, valid', () => tf.conv2d(picture(), taps(), 2, 'valid')),
  opCase('convolution in one with bias and activation', () =>
    tf.fused.conv2d({
      ...{ x: picture(), filter: taps(), strides: 1, pad: 'same' as const },
      ...{ bias: waves<tf.Tensor1D>([4]), activation: 'relu6' as const },
    }),
  ),
  opCase('depthwise convolution', () =>
    tf.depthwiseConv2d(picture(), waves<tf.Tensor4D>([3, 3, 3, 1]), 1, 'same'),
  ),
  opCase('transposed convolution', () =>
    tf.conv2dTranspose(picture(), waves<tf.Tensor4D>([2, 2, 5, 3]), [2, 18, 16, 5], 2, 'same'),
  ),
  opCase('max pooling', () => tf.maxPool(picture(), 2, 2, 'same')),
  opCase('average pooling', () => tf.avgPool(picture(), 2, 2, 'valid')),
  opCase('batch normalization', () =>
    tf.batchNorm(picture(), waves([3]), waves([3], 2), waves([3]), waves([3], 1)),
  ),
  opCase('depth to space', () => tf.depthToSpace(waves<tf.Tensor4D>([1, 4, 5, 12]), 2)),
  opCase('bilinear resize', () => tf.image.resizeBilinear(picture(), [5, 13], false, true)),
  opCase('nearest resize', () => tf.image.resizeNearestNeighbor(picture(), [18, 16])),
  opCase('softmax', () => tf.softmax(rows())),
  opCase('log of the sum of powers', () => tf.logSumExp(rows(), 1)),
  opCase('sigmoid, tanh, elu, softplus', () =>
    tf.stack([tf.sigmoid(rows()), tf.tanh(rows()), tf.elu(rows()), tf.softplus(rows())]),
  ),
  opCase('leaky and parametric ReLU', () =>
    tf.stack([tf.leakyRelu(rows(), 0.3), tf.prelu(rows(), waves([12], 0.2))]),
  ),
  opCase('powers, roots and logarithms', () =>
    tf.stack([
      tf.exp(rows()),
      tf.log(rows(2)),
      tf.sqrt(rows(2)),
      tf.rsqrt(rows(2)),
      tf.pow(rows(2), tf.scalar(1.5)),
    ]),
  ),
  opCase('sums, means, largest and smallest along an axis', () =>
    tf.stack([tf.sum(rows(), 1), tf.mean(rows(), 1), tf.max(rows(), 1), tf.min(rows(), 1)]),
  ),
  opCase('places of the largest and smallest', () =>
    tf.stack([tf.argMax(rows(), 1), tf.argMin(rows(), 1), tf.argMax(tf.greater(rows(), 0.5), 1)]),
  ),
  opCase('the three largest, with their places', () => {
    const { values, indices: places } = tf.topk(rows(), 3);
    return tf.stack([values, tf.cast(places, 'float32')]);
  }),
  opCase('exponential of whole numbers', () => tf.exp(indices([5], 4))),
  opCase('comparison and choice', () =>
    tf.where(tf.logicalAnd(tf.greater(rows(), 0), tf.lessEqual(rows(), 0.8)), rows(1), tf.neg(rows())),
  ),
  opCase('gather of rows', () => tf.gather(rows(), indices([4], 5))),
  opCase('one-hot', () => tf.oneHot(indices([6], 4), 4)),
  opCase('transpose, reverse, tile, concat', () =>
    tf.concat([tf.reverse(tf.transpose(rows()), 0), tf.tile(waves([1, 5]), [3, 1])], 0),
  ),
  opCase('slices with strides, and padding', () =>
    tf.pad(tf.stridedSlice(picture(), [0, 1, 0, 0], [2, 9, 8, 3], [1, 2, 3, 1]), [
      [0, 0],
      [1, 2],
      [0, 1],
      [0, 0],
    ]),
  ),
  opCase('cumulative sum', () => tf.cumsum(rows(), 1)),
  opCase('rounding, and casts to whole numbers and back', () =>
    tf.stack([tf.round(tf.mul(rows(), 9)), tf.cast(tf.cast(tf.mul(rows(), 9), 'int32'), 'float32')]),
  ),
];
