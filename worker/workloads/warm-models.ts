import * as tf from '@tensorflow/tfjs-core';

/** A layers model or a graph model. */
interface Model {
  dispose(): unknown;
}

interface WarmModel {
  model: Model;
  /** Tensors that exist because the model is kept. */
  tensors: number;
}

/** Kept in the order of their last use, newest last. */
const warm = new Map<string, WarmModel>();
/** All scales of one upscaler fit; a kind that comes along pushes out what was not used for longest. */
const keep = 4;

/** The model of this key, which stands for one type, loaded at most once per process while it stays among the few last used ones. */
export async function warmModel<M extends Model>(key: string, load: () => Promise<M>): Promise<M> {
  const known = warm.get(key);
  if (known) {
    warm.delete(key);
    warm.set(key, known);
    return known.model as M;
  }
  const before = tf.memory().numTensors;
  const model = await load();
  warm.set(key, { model, tensors: tf.memory().numTensors - before });
  const [oldest] = warm;
  if (oldest && warm.size > keep) {
    warm.delete(oldest[0]);
    oldest[1].model.dispose();
  }
  return model;
}

/** Tensors that belong to warm models: an attempt that loaded one has not leaked them. */
export function warmTensors(): number {
  return [...warm.values()].reduce((sum, { tensors }) => sum + tensors, 0);
}
