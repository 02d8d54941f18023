import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { EngineOutOfMemory, type EngineLoader } from './engine.js';
import { registerConvFilterGradient } from './wasm-conv-filter-gradient.js';
import { guardHeap, heapBytes, heapProblem } from './wasm-heap.js';
import { repairMaxPoolGradient } from './wasm-max-pool-gradient.js';

/** WebAssembly, one thread: the embedded default. Both patches are always on and each tensor it allocates is checked against the cap. */
export const wasmLoader: EngineLoader = {
  name: 'wasm',
  async load() {
    const { setWasmPaths, version_wasm: version } = await import('@tensorflow/tfjs-backend-wasm');
    // Said explicitly, because the default (beside the script that runs) is wrong as soon as anything bundles this file.
    const entry = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
    setWasmPaths(dirname(entry) + sep);
    registerConvFilterGradient();
    repairMaxPoolGradient();
    if (!(await withOwnFaultListeners(() => tf.setBackend('wasm')))) {
      return { ok: false, code: 'WASM_INIT_FAILED', message: 'TensorFlow did not accept its wasm backend.' };
    }
    const backend = tf.backend() as BackendWasm;
    guardHeap(backend);
    return {
      ok: true,
      engine: {
        name: 'wasm',
        version,
        inUse: () => tf.getBackend(),
        assertRoom(bytes) {
          const problem = heapProblem({ alive: tf.memory().numBytes, heap: heapBytes(backend), more: bytes });
          if (problem) throw new EngineOutOfMemory(problem);
        },
        isBroken,
      },
    };
  },
};

/** Emscripten reports an abort as a RuntimeError or, thrown from its glue, as a plain error whose text begins with `Aborted`. */
function isBroken(error: unknown): boolean {
  if (error instanceof EngineOutOfMemory) return true;
  return error instanceof Error && (error.name === 'RuntimeError' || error.message.startsWith('Aborted'));
}

/**
 * Emscripten's glue listens for uncaught faults and throws them again, which would end the process before its own listeners can say how the
 * attempt ended. Listeners that `start` adds are taken away.
 */
async function withOwnFaultListeners<T>(start: () => Promise<T>): Promise<T> {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const own = events.map((event) => process.rawListeners(event));
  const result = await start();
  for (const [index, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!own[index]?.includes(listener)) process.removeListener(event, listener as () => void);
    }
  }
  return result;
}
