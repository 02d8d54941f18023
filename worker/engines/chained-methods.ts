import * as tf from '@tensorflow/tfjs-core';

type Operation = (tensor: tf.Tensor, ...rest: unknown[]) => tf.Tensor;

/** Operations that are called as methods: by tfjs-layers where it makes orthogonal matrices (recurrent layers), by kernels of tfjs-node. */
const sameName = ['add', 'mul', 'reshape', 'sign', 'stridedSlice', 'sub', 'transpose'] as const;

/** Those whose operation has another name. */
const otherName = {
  flatten: (tensor: tf.Tensor) => tf.reshape(tensor, [tensor.size]),
  toFloat: (tensor: tf.Tensor) => tf.cast(tensor, 'float32'),
  toInt: (tensor: tf.Tensor) => tf.cast(tensor, 'int32'),
};

/**
 * Gives tensors the few methods that packages call on them. The union of all TensorFlow.js packages, which is not loaded here, would bring them;
 * without them no model with an LSTM layer can be made, and on TensorFlow's C library ArgMax of bool, Exp of int32 and PReLU fail.
 */
export function registerChainedMethods(): void {
  const operations = tf as unknown as Record<string, Operation>;
  const methods: Record<string, Operation> = {
    ...Object.fromEntries(sameName.map((name) => [name, operations[name]!])),
    ...otherName,
  };
  for (const [name, operation] of Object.entries(methods)) {
    if (name in tf.Tensor.prototype) continue;
    Object.defineProperty(tf.Tensor.prototype, name, {
      value(this: tf.Tensor, ...rest: unknown[]) {
        return operation(this, ...rest);
      },
      configurable: true,
      writable: true,
    });
  }
}
