import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
// It is this package that registers the gradients.
import '@tensorflow/tfjs-layers';
import { cpuLoader } from './cpu.js';
import { EngineOutOfMemory } from './engine.js';
import { runSelfTest } from './self-test.js';
import { guardHeap, heapProblem } from './wasm-heap.js';
import { wasmLoader } from './wasm.js';

beforeAll(async () => {
  await cpuLoader.load();
  await wasmLoader.load();
});

/** Computes the same on both engines. */
async function onBoth(compute: () => tf.Tensor): Promise<{ wasm: Float32Array; cpu: Float32Array }> {
  const on = async (backend: string) => {
    await tf.setBackend(backend);
    const result = tf.tidy(compute);
    const values = await result.data<'float32'>();
    result.dispose();
    return values.slice();
  };
  return { wasm: await on('wasm'), cpu: await on('cpu') };
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  const scale = Math.max(...b.map(Math.abs));
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? NaN)))) / scale;
}

const waves = (shape: number[], shift = 0) => {
  const size = tf.util.sizeFromShape(shape);
  return tf.tensor(
    Float32Array.from({ length: size }, (_, i) => Math.sin(1.7 * i + 0.013 * i * i) + shift),
    shape,
  );
};

describe('the filter gradient of a convolution', () => {
  const explicit: tf.backend_util.ExplicitPadding = [
    [0, 0],
    [2, 1],
    [0, 1],
    [0, 0],
  ];
  const strides: [number, number][] = [
    [1, 1],
    [2, 2],
    [3, 1],
  ];
  const cases = [
    ...(['same', 'valid', explicit] as const).flatMap((pad) =>
      strides.map((stride) => ({ pad, stride, filter: [3, 2, 3, 4] })),
    ),
    // With a number as pad TensorFlow takes the filter's height and stride for both sides, so only squares have a right answer.
    { pad: 1, stride: [1, 1] as [number, number], filter: [3, 3, 3, 4] },
    { pad: 1, stride: [2, 2] as [number, number], filter: [3, 3, 3, 4] },
  ];

  test.each(cases)('equals the cpu engine: pad $pad, stride $stride', async ({ pad, stride, filter }) => {
    const rounding = typeof pad === 'string' ? undefined : 'floor';
    const { wasm, cpu } = await onBoth(() => {
      const x = waves([2, 11, 8, 3]) as tf.Tensor4D;
      const gradient = tf.grad((taps) => {
        const y = tf.conv2d(x, taps as tf.Tensor4D, stride, pad, 'NHWC', 1, rounding);
        return tf.sum(tf.mul(y, waves(y.shape, 0.5)));
      });
      return gradient(waves(filter));
    });
    expect(largestDifference(wasm, cpu)).toBeLessThan(2e-6);
  });

  test('leaves no tensor behind', async () => {
    await tf.setBackend('wasm');
    const before = tf.memory().numTensors;
    tf.tidy(() => {
      const x = waves([1, 6, 6, 2]) as tf.Tensor4D;
      tf.grad((taps) => tf.sum(tf.conv2d(x, taps as tf.Tensor4D, 2, 'same')))(waves([3, 3, 2, 2]));
    });
    expect(tf.memory().numTensors).toBe(before);
  });
});

describe('the gradient of a max pool', () => {
  test.each([
    ['all negative', -3],
    ['around zero', 0],
    ['all positive', 3],
  ])('equals the cpu engine: %s input', async (_, shift) => {
    const { wasm, cpu } = await onBoth(() =>
      tf.grad((x) => {
        const y = tf.maxPool(x as tf.Tensor4D, 3, 2, 'same');
        return tf.sum(tf.mul(y, waves(y.shape)));
      })(waves([2, 9, 11, 4], shift)),
    );
    expect(largestDifference(wasm, cpu)).toBeLessThan(2e-6);
  });

  test('keeps apart values far below one, as there are after a ReLU', async () => {
    const { wasm, cpu } = await onBoth(() => {
      const x = tf.tensor4d([0, 1e-9, 2e-9, 0], [1, 2, 2, 1]);
      return tf.grad((input) => tf.sum(tf.maxPool(input as tf.Tensor4D, 2, 2, 'valid')))(x);
    });
    expect([...wasm]).toEqual([...cpu]);
    expect([...wasm]).toEqual([0, 0, 1, 0]);
  });
});

describe('the cap on the heap', () => {
  const cap = { bytes: 3_000, edgeBytes: 3_750 };
  test.each([
    [{ alive: 1_000, heap: 1_500, more: 2_000 }, false],
    [{ alive: 1_001, heap: 1_500, more: 2_000 }, true],
    [{ alive: 0, heap: 3_001, more: 1 }, true],
    [{ alive: 0, heap: 2_900, more: 900 }, true],
    [{ alive: 0, heap: 2_900, more: 800 }, false],
  ])('%j is refused: %s', (need, isRefused) => {
    expect(heapProblem(need, cap) !== null).toBe(isRefused);
  });

  test('refuses before the work begins what would not fit, and lets the rest begin', async () => {
    const loaded = await wasmLoader.load();
    if (!loaded.ok) throw new Error(loaded.message);
    expect(() => loaded.engine.assertRoom(3 * 2 ** 30 + 1)).toThrow(EngineOutOfMemory);
    expect(loaded.engine.isBroken(new EngineOutOfMemory('too large'))).toBe(true);
    loaded.engine.assertRoom(2 ** 30);
  });

  test('stops the tensor that would pass it, and the next smaller one still works', async () => {
    await tf.setBackend('wasm');
    const backend = tf.backend() as BackendWasm;
    const free = backend.move.bind(backend);
    const bytes = 64 * 2 ** 20;
    guardHeap(backend, { bytes, edgeBytes: 2 * bytes });
    try {
      expect(() => tf.zeros([bytes / 4 + 1])).toThrow(EngineOutOfMemory);
      tf.zeros([bytes / 16]).dispose();
    } finally {
      backend.move = free;
    }
  });
});

test('both engines pass the self-test, and it leaves no tensor behind', async () => {
  for (const backend of ['wasm', 'cpu']) {
    await tf.setBackend(backend);
    const before = tf.memory().numTensors;
    expect(await runSelfTest()).toBeNull();
    expect(tf.memory().numTensors).toBe(before);
  }
});

test('the engine takes away the listeners of its glue, which would end the process before an attempt can be reported', () => {
  expect(
    process.rawListeners('unhandledRejection').filter((listener) => /throw reason/.test(String(listener))),
  ).toEqual([]);
});
