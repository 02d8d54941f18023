import * as tf from '@tensorflow/tfjs-core';

const side = 64;
/** Shapes of the tiny convolution: a 5×6 picture of 2 channels, 3×3 taps to 3 channels, 'valid'. */
const image = { height: 5, width: 6, channels: 2 };
const filter = { size: 3, channels: 3 };

/**
 * Whether TensorFlow's current backend computes at all: a 64×64 matrix product and a tiny convolution of small integers, compared with plain
 * loops. There are backends that start without an error and answer 4.9e33 for 64; they must never be offered. Integers below 2^10 make
 * the right answer exact in float32 and in the shorter formats some devices multiply in.
 * @returns null when all is right, otherwise one sentence that says what was wrong
 * @throws what the backend throws, for instance for a kernel it lacks
 */
export async function runSelfTest(): Promise<string | null> {
  const a = integers(side * side, 7);
  const b = integers(side * side, 5);
  const product = await valuesOf(() => tf.matMul(tf.tensor2d(a, [side, side]), tf.tensor2d(b, [side, side])));
  const productProblem = compare('matMul', product, multiply(a, b));
  if (productProblem) return productProblem;

  const pixels = integers(image.height * image.width * image.channels, 9);
  const taps = integers(filter.size * filter.size * image.channels * filter.channels, 5);
  const mapped = await valuesOf(() =>
    tf.conv2d(
      tf.tensor3d(pixels, [image.height, image.width, image.channels]),
      tf.tensor4d(taps, [filter.size, filter.size, image.channels, filter.channels]),
      1,
      'valid',
    ),
  );
  return compare('conv2d', mapped, convolve(pixels, taps));
}

/** Whole numbers around zero in a pattern without a symmetry that a wrong stride could hide behind. */
function integers(count: number, modulus: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => ((3 * i + Math.floor(i / 11)) % modulus) - 2);
}

async function valuesOf(compute: () => tf.Tensor): Promise<ArrayLike<number>> {
  const result = tf.tidy(compute);
  try {
    return await result.data();
  } finally {
    result.dispose();
  }
}

function compare(op: string, actual: ArrayLike<number>, expected: Float32Array): string | null {
  if (actual.length !== expected.length) {
    return `${op} gave ${actual.length} numbers instead of ${expected.length}.`;
  }
  // Written so that NaN is a mismatch.
  const wrong = expected.findIndex((value, i) => !(Math.abs((actual[i] ?? NaN) - value) <= 1e-3));
  return wrong < 0 ? null : `${op} gave ${actual[wrong]} instead of ${expected[wrong]} at place ${wrong}.`;
}

function multiply(a: Float32Array, b: Float32Array): Float32Array {
  return Float32Array.from({ length: side * side }, (_, i) => {
    const row = Math.floor(i / side) * side;
    let sum = 0;
    for (let k = 0; k < side; k++) sum += at(a, row + k) * at(b, k * side + (i % side));
    return sum;
  });
}

function convolve(pixels: Float32Array, taps: Float32Array): Float32Array {
  const height = image.height - filter.size + 1;
  const width = image.width - filter.size + 1;
  return Float32Array.from({ length: height * width * filter.channels }, (_, i) => {
    const out = i % filter.channels;
    const x = Math.floor(i / filter.channels) % width;
    const y = Math.floor(i / filter.channels / width);
    let sum = 0;
    for (let tap = 0; tap < filter.size * filter.size * image.channels; tap++) {
      const channel = tap % image.channels;
      const column = Math.floor(tap / image.channels) % filter.size;
      const row = Math.floor(tap / image.channels / filter.size);
      const pixel = ((y + row) * image.width + x + column) * image.channels + channel;
      sum += at(pixels, pixel) * at(taps, tap * filter.channels + out);
    }
    return sum;
  });
}

const at = (values: Float32Array, index: number): number => values[index] ?? NaN;
