import * as tf from '@tensorflow/tfjs-core';
import { EngineOutOfMemory } from './engine.js';

/** For engines whose tensors lie in the memory of the process: the cap keeps one attempt from swallowing the machine. */
const capBytes = 3 * 2 ** 30;

/**
 * @param bytes expected peak beyond the tensors that are alive
 * @throws EngineOutOfMemory
 */
export function assertBelowCap(bytes: number): void {
  const alive = tf.memory().numBytes;
  if (alive + bytes > capBytes) {
    throw new EngineOutOfMemory(`${alive} bytes of tensors and ${bytes} more pass the cap of ${capBytes}.`);
  }
}
