import * as tf from '@tensorflow/tfjs-core';
import { EngineOutOfMemory, type EngineLoader } from './engine.js';
import { assertBelowCap } from './tensor-cap.js';

/** Plain JavaScript: the last resort, about 25 times slower than wasm, but complete. */
export const cpuLoader: EngineLoader = {
  name: 'cpu',
  async load() {
    const { version_cpu: version } = await import('@tensorflow/tfjs-backend-cpu');
    if (!(await tf.setBackend('cpu'))) {
      return { ok: false, code: 'CPU_INIT_FAILED', message: 'TensorFlow did not accept its cpu backend.' };
    }
    // It would greet the user with an advertisement for another package, on stderr of his job.
    Object.assign(tf.backend(), { firstUse: false });
    return {
      ok: true,
      engine: {
        name: 'cpu',
        version,
        inUse: () => tf.getBackend(),
        assertRoom: assertBelowCap,
        isBroken: (error) => error instanceof EngineOutOfMemory,
      },
    };
  },
};
