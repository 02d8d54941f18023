import * as tf from '@tensorflow/tfjs-core';
import type { Engine } from '../../engines/engine.js';

/** A computation that each engine must answer alike. */
export interface EngineCase {
  name: string;
  /**
   * How far an engine may be from cpu, of the largest number that cpu gives. Engines add up in another order, so the last bits of float32
   * differ; what goes through many steps differs more.
   */
  tolerance: number;
  /** The answer as plain numbers. Nothing that it makes may be left alive but warm models. */
  compute(engine: Engine, folder: string): Promise<number[]>;
}

/** Bits that one operation may lose. */
const oneOperation = 1e-5;

/** A case of one operation, or a few. */
export function opCase(name: string, compute: () => tf.Tensor, tolerance = oneOperation): EngineCase {
  return {
    name,
    tolerance,
    async compute() {
      const result = tf.tidy(compute);
      try {
        return [...(await result.data())];
      } finally {
        result.dispose();
      }
    },
  };
}

/** Numbers from -1 to 1 in a pattern without a symmetry, the same on every engine, moved by `shift`. */
export function waves<Tensor extends tf.Tensor = tf.Tensor>(shape: number[], shift = 0): Tensor {
  const size = tf.util.sizeFromShape(shape);
  const values = Float32Array.from({ length: size }, (_, i) => Math.sin(1.7 * i + 0.013 * i * i) + shift);
  return tf.tensor(values, shape) as Tensor;
}

/** Whole numbers from 0 to `below` - 1 in a pattern. */
export function indices(shape: number[], below: number): tf.Tensor {
  const size = tf.util.sizeFromShape(shape);
  return tf.tensor(
    Int32Array.from({ length: size }, (_, i) => (7 * i + Math.floor(i / 3)) % below),
    shape,
    'int32',
  );
}
