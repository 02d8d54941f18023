import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import { loadLayersModel } from '@tensorflow/tfjs-layers';
import { moderationClasses, type ModerateTier } from '@gjm/core/workload/image-moderate.js';
import { modelArtifacts, modelJsonOf } from '../model/read-model-json.js';
import { optionalFolder } from '../optional-folder.js';
import { warmModel } from '../warm-models.js';
import { exportedBytes, exportedObject } from './script-data.js';

/** A model that says what is in a picture. */
export interface Moderator {
  /** Width and height it takes, in pixels. */
  side: number;
  /** Probabilities by class, in the order of `moderationClasses`, of one picture: side · side · 3 values, 8 bits each. */
  judge(samples: Uint8Array): Promise<Float32Array>;
}

/** Where each model lies in its package, and what it takes. */
const models: Record<ModerateTier, { folder: string; side: number }> = {
  'mobilenet-v2': { folder: 'mobilenet_v2', side: 224 },
  'mobilenet-v2-mid': { folder: 'mobilenet_v2_mid', side: 224 },
  'inception-v3': { folder: 'inception_v3', side: 299 },
};

/** @throws WorkloadFailure NO_ENGINE when the models are not set up here */
export async function loadModerator(tier: ModerateTier): Promise<Moderator> {
  const { folder, side } = models[tier];
  const model = await warmModel(`nsfwjs-${tier}`, async () => {
    const place = join(optionalFolder('models', 'nsfwjs', 'image.moderate'), 'dist', 'models', folder);
    const read = (name: string) => readFile(join(place, `${name}.min.js`), 'latin1');
    const json = modelJsonOf(exportedObject(await read('model')));
    const artifacts = await modelArtifacts(json, async (name) => exportedBytes(await read(name)));
    const handler = tf.io.fromMemory(artifacts);
    return json.format === 'graph-model' ? loadGraphModel(handler) : loadLayersModel(handler);
  });
  return {
    side,
    async judge(samples) {
      const output = tf.tidy(() => {
        const seen = tf.div(tf.tensor4d(Float32Array.from(samples), [1, side, side, 3]), 255);
        return model.predict(seen) as tf.Tensor;
      });
      try {
        const values = await output.data<'float32'>();
        if (values.length !== moderationClasses.length)
          throw new Error(`The model gives ${values.length} values instead of ${moderationClasses.length}.`);
        return values;
      } finally {
        output.dispose();
      }
    },
  };
}
