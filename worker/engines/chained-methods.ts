import * as tf from '@tensorflow/tfjs-core';

/** What kernels of tfjs-node call on tensors. */
const methods: Record<string, (this: tf.Tensor, other: tf.TensorLike) => tf.Tensor> = {
  toInt() {
    return tf.cast(this, 'int32');
  },
  toFloat() {
    return tf.cast(this, 'float32');
  },
  add(other) {
    return tf.add(this, other);
  },
  sub(other) {
    return tf.sub(this, other);
  },
  mul(other) {
    return tf.mul(this, other);
  },
};

/**
 * Gives tensors the few chained methods that kernels of tfjs-node use. They come with the union of all TensorFlow.js packages, which is not
 * loaded here; without them ArgMax of bool, Exp of int32 and PReLU fail.
 */
export function registerChainedMethods(): void {
  for (const [name, method] of Object.entries(methods)) {
    if (!(name in tf.Tensor.prototype)) {
      Object.defineProperty(tf.Tensor.prototype, name, { value: method, configurable: true, writable: true });
    }
  }
}
