import * as tf from '@tensorflow/tfjs-core';

const kernelName = 'MaxPoolGrad';

/** Backends' own kernels that were wrapped, so that loading the engine twice does not wrap the wrapper. */
const repaired = new WeakSet<tf.KernelConfig>();

/**
 * The stock wasm kernel looks for a window's maximum from zero upwards, so where all values of a window are ≤ 0 it finds none and the
 * gradient is lost or goes to the wrong place. It only uses the input to find the place of the maximum, and that place does not change when
 * the whole input is moved above zero. The smallest step is taken (1e-30, not 1), so that after a ReLU, where the minimum is 0 already, no
 * small value is rounded away.
 */
export function repairMaxPoolGradient(): void {
  const stock = tf.getKernel(kernelName, 'wasm');
  if (!stock || repaired.has(stock)) return;
  const config: tf.KernelConfig = {
    ...stock,
    kernelFunc: ({ inputs, attrs, backend }) => {
      const input = inputs['input'] as unknown as tf.Tensor;
      const above = tf.tidy(() => tf.add(tf.sub(input, tf.min(input)), 1e-30));
      try {
        return stock.kernelFunc({ inputs: { ...inputs, input: above }, attrs, backend });
      } finally {
        above.dispose();
      }
    },
  };
  repaired.add(config);
  tf.unregisterKernel(kernelName, 'wasm');
  tf.registerKernel(config);
}
