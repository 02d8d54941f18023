import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type * as tf from '@tensorflow/tfjs-core';
import { loadLayersModel, type LayersModel } from '@tensorflow/tfjs-layers';
import { z } from 'zod';

/** The part of a model.json that this reads; the topology and the weights' specs are checked by TensorFlow itself. */
const modelFileSchema = z.object({
  modelTopology: z.record(z.string(), z.unknown()),
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(
        z.custom<tf.io.WeightsManifestEntry>((entry) => typeof entry === 'object' && entry !== null),
      ),
    }),
  ),
});

/**
 * Loads a layers model, model.json and its shards, from a folder of an installed package: TensorFlow reads files by itself only in a
 * package that is not used here.
 * @throws Error for a shard name that leads out of the folder, and what TensorFlow says of files that do not fit together
 */
export function loadModelFolder(folder: string): Promise<LayersModel> {
  return loadLayersModel({
    async load() {
      const file = modelFileSchema.parse(JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')));
      const names = file.weightsManifest.flatMap((group) => group.paths);
      const stray = names.find((name) => name !== basename(name));
      if (stray !== undefined) throw new Error(`The shard ${stray} does not lie beside its model.json.`);
      const shards = await Promise.all(names.map((name) => readFile(join(folder, name))));
      const bytes = Buffer.concat(shards);
      return {
        modelTopology: file.modelTopology,
        weightSpecs: file.weightsManifest.flatMap((group) => group.weights),
        weightData: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      };
    },
  });
}
