import * as tf from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { EngineOutOfMemory } from './engine.js';

const gibibyte = 2 ** 30;

/**
 * What a wasm process may hold. The address space ends at 4 GiB, and there the stock backend does not fail: it wraps and silently overwrites
 * an earlier tensor. 3.75 GiB was measured to be still right; the cap leaves room for the scratch space that kernels take by themselves.
 */
const heapCap = { bytes: 3 * gibibyte, edgeBytes: 3.75 * gibibyte };

interface HeapNeed {
  /** Bytes of the tensors that are alive. */
  alive: number;
  /** Bytes of the heap as it has grown; it never shrinks. */
  heap: number;
  /** Bytes about to be allocated. */
  more: number;
}

/** Null when `need` is safe, otherwise one sentence. The worst case, a heap in which no gap fits, decides about the edge. */
export function heapProblem(need: HeapNeed, cap = heapCap): string | null {
  const mib = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  if (need.alive + need.more > cap.bytes) {
    return `The engine holds ${mib(need.alive)} and ${mib(need.more)} more would pass its cap of ${mib(cap.bytes)}.`;
  }
  if (need.heap > cap.bytes || need.heap + need.more > cap.edgeBytes) {
    return `The engine's heap has grown to ${mib(need.heap)} and ${mib(need.more)} more would pass what is safe.`;
  }
  return null;
}

/** Size of the heap as it has grown. The backend's types leave out what Emscripten adds to every module. */
export function heapBytes(backend: BackendWasm): number {
  return (backend.wasm as unknown as { HEAPU8: Uint8Array }).HEAPU8.length;
}

/**
 * Makes the backend throw EngineOutOfMemory instead of allocating past the cap. `move` is the one door through which the backend takes memory
 * for a tensor (`write` and `makeOutput` both end there).
 */
export function guardHeap(backend: BackendWasm, cap = heapCap): void {
  const move = backend.move.bind(backend);
  backend.move = (dataId, values, shape, dtype, refCount) => {
    if (dtype !== 'string') {
      const more = tf.util.sizeFromShape(shape) * tf.util.bytesPerElement(dtype);
      const problem = heapProblem({ alive: tf.memory().numBytes, heap: heapBytes(backend), more }, cap);
      if (problem) throw new EngineOutOfMemory(problem);
    }
    move(dataId, values, shape, dtype, refCount);
  };
}
