import * as tf from '@tensorflow/tfjs-core';

const kernelName = 'Conv2DBackpropFilter';

/** What the gradient of a convolution with respect to its filter is computed from; as TensorFlow's op passes it on. */
interface ConvFilterGradientAttrs {
  strides: [number, number] | number;
  pad: 'valid' | 'same' | number | tf.backend_util.ExplicitPadding;
  dimRoundingMode?: 'floor' | 'round' | 'ceil';
  dataFormat: 'NHWC' | 'NCHW';
  filterShape: [number, number, number, number];
}

/** Gives the wasm backend the kernel it lacks, without which no convolution can be trained on it. Registering twice changes nothing. */
export function registerConvFilterGradient(): void {
  if (tf.getKernel(kernelName, 'wasm')) return;
  tf.registerKernel({
    kernelName,
    backendName: 'wasm',
    kernelFunc: ({ inputs, attrs }) => {
      // The op hands over real tensors, although the type of a kernel promises only their descriptions.
      const { x, dy } = inputs as unknown as { x: tf.Tensor4D; dy: tf.Tensor4D };
      return convFilterGradient(x, dy, attrs as unknown as ConvFilterGradientAttrs);
    },
  });
}

/**
 * dW[r, c] = Σ over batch and output places of x[place · stride + (r, c) − pad]ᵀ · dy[place]: one matrix product per tap of the filter.
 * @param x [batch, height, width, inChannels]
 * @param dy [batch, outHeight, outWidth, outChannels]
 * @returns [filterHeight, filterWidth, inChannels, outChannels]
 */
function convFilterGradient(x: tf.Tensor4D, dy: tf.Tensor4D, attrs: ConvFilterGradientAttrs): tf.Tensor4D {
  const { filterShape, strides, pad, dimRoundingMode, dataFormat } = attrs;
  if (dataFormat === 'NCHW') throw new Error('The wasm engine trains convolutions in NHWC only.');
  const info = tf.backend_util.computeConv2DInfo(x.shape, filterShape, strides, 1, pad, dimRoundingMode);
  const { top, bottom, left, right } = info.padInfo;
  return tf.tidy(() => {
    const padded = tf.pad4d(x, [
      [0, 0],
      [top, bottom],
      [left, right],
      [0, 0],
    ]);
    const dyRows = tf.reshape(dy, [-1, info.outChannels]);
    const taps: tf.Tensor[] = [];
    for (let row = 0; row < info.filterHeight; row++) {
      for (let column = 0; column < info.filterWidth; column++) {
        taps.push(tf.tidy(() => tapGradient(padded, dyRows, info, row, column)));
      }
    }
    return tf.reshape(tf.stack(taps), filterShape);
  });
}

/** [inChannels, outChannels] of one tap: its view of the padded input is every stride-th place from (row, column) on. */
function tapGradient(
  padded: tf.Tensor4D,
  dyRows: tf.Tensor,
  info: tf.backend_util.Conv2DInfo,
  row: number,
  column: number,
): tf.Tensor {
  const { batchSize, outHeight, outWidth, strideHeight, strideWidth, inChannels } = info;
  const view =
    strideHeight === 1 && strideWidth === 1
      ? tf.slice(padded, [0, row, column, 0], [batchSize, outHeight, outWidth, inChannels])
      : tf.stridedSlice(
          padded,
          [0, row, column, 0],
          [
            batchSize,
            row + (outHeight - 1) * strideHeight + 1,
            column + (outWidth - 1) * strideWidth + 1,
            inChannels,
          ],
          [1, strideHeight, strideWidth, 1],
        );
  return tf.matMul(tf.reshape(view, [-1, inChannels]), dyRows, true, false);
}
