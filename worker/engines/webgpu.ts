import { createRequire } from 'node:module';
import * as tf from '@tensorflow/tfjs-core';
import { EngineFault, EngineOutOfMemory, type Engine, type EngineLoader } from './engine.js';
import { assertBelowCap } from './tensor-cap.js';
import { vulkan } from './webgpu/adapters.js';
import { loadDawn, type Adapter, type Dawn } from './webgpu/dawn.js';
import { mayUseSoftware, pinnedAdapter } from './webgpu/environment.js';
import { watchFaults } from './webgpu/faults.js';

interface Refusal {
  ok: false;
  code: string;
  message: string;
}

const refuse = (reason: string, message: string): Refusal => ({
  ok: false,
  code: `WEBGPU_${reason}`,
  message,
});

/** WebGPU through Dawn on one Vulkan adapter: for GPUs of any maker. One that only computes on the CPU is refused unless it is allowed. */
export const webgpuLoader: EngineLoader = {
  name: 'webgpu',
  async load() {
    const answer = await loadDawn();
    if (!answer.ok) return refuse(answer.reason, answer.message);
    const name = pinnedAdapter();
    if (name === null) {
      return refuse(
        'NOT_PINNED',
        'No Vulkan adapter can be told to be this device: Vulkan does not see it, or several have its name.',
      );
    }
    const choice = await findAdapter(answer.dawn, name);
    if (!choice.ok) return choice;
    return { ok: true, engine: await startEngine(answer.dawn, choice.adapter, name) };
  },
};

/** Lays Dawn out as a browser would, and picks the adapter. */
async function findAdapter(dawn: Dawn, name: string): Promise<{ ok: true; adapter: Adapter } | Refusal> {
  const gpu = dawn.create([vulkan, `adapter=${name}`]);
  publish(dawn, gpu);
  let adapter: Adapter | null;
  try {
    adapter = await gpu.requestAdapter();
  } catch (error) {
    return refuse('NO_ADAPTER', error instanceof Error ? error.message : String(error));
  }
  if (!adapter) return refuse('NO_ADAPTER', 'Dawn finds no Vulkan adapter here.');
  if (adapter.info.isFallbackAdapter && !mayUseSoftware())
    return refuse('SOFTWARE_ONLY', `${name} computes on the CPU, more slowly than the wasm engine.`);
  return { ok: true, adapter };
}

/**
 * The backend looks for these when it is imported, so that they must be there before. They stay for life: Dawn is known to crash when its
 * objects go before the process does.
 */
export function publish(dawn: Dawn, gpu: unknown): void {
  Object.assign(globalThis, dawn.globals);
  const scope = globalThis as { navigator?: object };
  // Node 20 has none.
  scope.navigator ??= {};
  Object.defineProperty(scope.navigator, 'gpu', { value: gpu, configurable: true });
}

/** Makes the adapter's device TensorFlow's backend. The device is ours, so that no event of it can be missed. */
export async function startEngine(dawn: Dawn, adapter: Adapter, name: string): Promise<Engine> {
  const { WebGPUBackend } = await import('@tensorflow/tfjs-backend-webgpu');
  const manifest = createRequire(import.meta.url)('@tensorflow/tfjs-backend-webgpu/package.json') as {
    version: string;
  };
  const device = await adapter.requestDevice({ requiredLimits: largestLimits(adapter) });
  const faults = watchFaults(device);
  tf.removeBackend('webgpu');
  tf.registerBackend('webgpu', () => new WebGPUBackend(device, adapter.info as unknown as GPUAdapterInfo));
  if (!(await tf.setBackend('webgpu'))) throw new Error('TensorFlow did not accept its webgpu backend.');
  return {
    name: 'webgpu',
    version: `${manifest.version} on Dawn ${dawn.version}`,
    on: `${name} (${adapter.info.description})`,
    inUse: () => tf.getBackend(),
    // A GPU's size can not be asked for: it says itself when there is no more. Software takes the memory of the process.
    assertRoom: adapter.info.isFallbackAdapter ? assertBelowCap : () => undefined,
    isBroken: (error) => error instanceof EngineFault || error instanceof EngineOutOfMemory,
    faults,
  };
}

/** Limits start at what the weakest device can do; those that kernels make use of are raised to what this one can. */
function largestLimits({ limits }: Adapter): Record<string, number> {
  return {
    maxBufferSize: limits.maxBufferSize,
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
    maxComputeWorkgroupsPerDimension: limits.maxComputeWorkgroupsPerDimension,
    maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
    maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
  };
}
