import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as tf from '@tensorflow/tfjs-core';
import { loadLayersModel, type LayersModel } from '@tensorflow/tfjs-layers';
import { modelArtifacts, readModelJson } from './model/read-model-json.js';

/**
 * Loads a layers model, model.json and its shards, from a folder of an installed package: TensorFlow reads files by itself only in a
 * package that is not used here.
 * @throws Error for a shard name that leads out of the folder, and what TensorFlow says of files that do not fit together
 */
export function loadModelFolder(folder: string): Promise<LayersModel> {
  return loadLayersModel({ load: () => folderArtifacts(folder) });
}

/** What such a folder holds, for a load handler. @throws Error for a shard name that leads out of the folder */
export async function folderArtifacts(folder: string): Promise<tf.io.ModelArtifacts> {
  const json = readModelJson(await readFile(join(folder, 'model.json'), 'utf8'));
  return modelArtifacts(json, (name) => readFile(join(folder, name)));
}
