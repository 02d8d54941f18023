import * as tf from '@tensorflow/tfjs-core';
import { WorkloadFailure } from '../define.js';

/** Something that is measured at one size. */
export interface Task {
  /** Makes what `once` works on; disposed of by the caller. */
  prepare(): tf.Tensor[];
  /** Does it once. */
  once(tensors: tf.Tensor[]): tf.Tensor;
  /** What every value of the result is. */
  expected: number;
}

/** The median of several repeats, each long enough to be measured. */
export interface Measured {
  medianMs: number;
  repeats: number;
}

const repeats = 5;
/** A repeat does it as often as fills this time, so that a clock's grain and the reading back do not count; at most `mostTimes`. */
const repeatMs = 15;
const mostTimes = 50;
/** Looser than float32: some devices multiply with fewer bits. */
const tolerance = 0.01;

/**
 * Times a task, which is warm by then. `between` is awaited between repeats and may throw to end the work.
 * @throws WorkloadFailure WORKLOAD_ERROR when the device computes wrong values
 */
export async function measure(task: Task, between: () => Promise<void>): Promise<Measured> {
  const tensors = tf.tidy(() => task.prepare());
  try {
    await timesOf(task, tensors, 1);
    const firstMs = await timesOf(task, tensors, 1);
    const times = Math.max(1, Math.min(mostTimes, Math.ceil(repeatMs / Math.max(firstMs, 0.01))));
    const each: number[] = [];
    while (each.length < repeats) {
      each.push((await timesOf(task, tensors, times)) / times);
      await between();
    }
    return { medianMs: each.sort((a, b) => a - b)[Math.floor(repeats / 2)]!, repeats };
  } finally {
    tf.dispose(tensors);
  }
}

/**
 * Milliseconds that so many runs take, until the last one's result is there. A device works in order, so one value of the last result tells
 * that all are done.
 */
async function timesOf(task: Task, tensors: tf.Tensor[], times: number): Promise<number> {
  const startMs = performance.now();
  const corner = tf.tidy(() => {
    let result = task.once(tensors);
    for (let time = 1; time < times; time++) {
      result.dispose();
      result = task.once(tensors);
    }
    return tf.slice(
      result,
      result.shape.map(() => 0),
      result.shape.map(() => 1),
    );
  });
  try {
    const [value] = await corner.data<'float32'>();
    const tookMs = performance.now() - startMs;
    if (!(Math.abs(value! - task.expected) <= tolerance * task.expected))
      throw new WorkloadFailure(
        'WORKLOAD_ERROR',
        `The device computed ${value} instead of ${task.expected}.`,
      );
    return tookMs;
  } finally {
    corner.dispose();
  }
}

/** Multiplies two square matrices whose product is 1 everywhere. */
export const multiplication = (size: number): Task => ({
  prepare: () => [tf.fill([size, size], 1), tf.fill([size, size], 1 / size)],
  once: ([a, b]) => tf.matMul(a as tf.Tensor2D, b as tf.Tensor2D),
  expected: 1,
});

/** Reads so many bytes and writes as many. */
export const movement = (bytes: number): Task => ({
  prepare: () => [tf.fill([bytes / Float32Array.BYTES_PER_ELEMENT], 1)],
  once: ([values]) => tf.add(values!, 1),
  expected: 2,
});
