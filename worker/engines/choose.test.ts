import { expect, test } from '@jest/globals';
import { MathBackendCPU } from '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import { chooseEngine } from './choose.js';
import { cpuLoader } from './cpu.js';
import type { Engine, EngineLoader } from './engine.js';

/** A backend that computes as the cpu does, except for the kernels given here. */
function loaderOf(
  backendName: string,
  changes: Record<string, tf.KernelConfig['kernelFunc'] | null>,
): EngineLoader {
  return {
    name: 'native',
    async load() {
      tf.registerBackend(backendName, () => new MathBackendCPU());
      for (const kernel of tf.getKernelsForBackend('cpu')) {
        const change = changes[kernel.kernelName];
        if (change === null) continue;
        tf.registerKernel({ ...kernel, backendName, ...(change && { kernelFunc: change }) });
      }
      await tf.setBackend(backendName);
      Object.assign(tf.backend(), { firstUse: false });
      const engine: Engine = {
        name: 'native',
        version: '0.0.0',
        inUse: () => 'native',
        assertRoom: () => undefined,
        isBroken: () => false,
      };
      return { ok: true, engine };
    },
  };
}

const filledWith = (value: number, shape: number[]) => tf.fill(shape, value);

test('a backend that starts well and multiplies wrongly is not offered; the next one is', async () => {
  await cpuLoader.load();
  const liar = loaderOf('multiplies-wrongly', { BatchMatMul: () => filledWith(4.9e33, [1, 64, 64]) });
  const { engine, audit } = await chooseEngine(['native', 'cpu'], [liar, cpuLoader]);
  expect(engine?.name).toBe('cpu');
  expect(engine?.inUse()).toBe('cpu');
  expect(audit).toMatchObject([
    { engine: 'native', offered: false, code: 'SELFTEST_MISMATCH', version: '0.0.0' },
    { engine: 'cpu', offered: true, code: null },
  ]);
});

test('nor is one that convolves wrongly, or answers with NaN', async () => {
  await cpuLoader.load();
  const zeros = loaderOf('convolves-wrongly', { Conv2D: () => filledWith(0, [1, 3, 4, 3]) });
  const nan = loaderOf('answers-nan', { BatchMatMul: () => filledWith(NaN, [1, 64, 64]) });
  for (const loader of [zeros, nan]) {
    const { engine, audit } = await chooseEngine(['native'], [loader]);
    expect(engine).toBeNull();
    expect(audit[0]?.code).toBe('SELFTEST_MISMATCH');
  }
});

test('a missing kernel and a loader that throws are coded reasons', async () => {
  await cpuLoader.load();
  const lacking = loaderOf('lacks-a-kernel', { Conv2D: null });
  const broken: EngineLoader = { name: 'webgpu', load: () => Promise.reject(new Error('no driver')) };
  const { audit } = await chooseEngine(['native', 'webgpu', 'cuda', 'abacus'], [lacking, broken]);
  expect(audit.map(({ engine, code }) => [engine, code])).toEqual([
    ['native', 'KERNEL_MISSING:Conv2D'],
    ['webgpu', 'WEBGPU_INIT_FAILED'],
    ['cuda', 'CUDA_PKG_ABSENT'],
    ['abacus', 'ENGINE_UNKNOWN'],
  ]);
});
