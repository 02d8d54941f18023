import * as tf from '@tensorflow/tfjs-core';

/**
 * Runs `work` so that no tensor and no variable it makes is left, however it ends: models that fail to load leave some behind. For code that
 * has the engine to itself meanwhile.
 */
export async function leavingNoTensors<T>(work: () => Promise<T>): Promise<T> {
  const engine = tf.engine();
  const before = new Set(Object.values(engine.registeredVariables));
  engine.startScope();
  try {
    return await work();
  } finally {
    engine.endScope();
    // A scope does not own variables.
    for (const variable of Object.values(engine.registeredVariables))
      if (!before.has(variable)) variable.dispose();
  }
}
