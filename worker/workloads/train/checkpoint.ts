import { loadLayersModel, type LayersModel } from '@tensorflow/tfjs-layers';
import * as tf from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { type ModelTrainParams, trainLimits } from '@gjm/core/workload/model-train.js';
import { openZip } from '../archive/open-zip.js';
import { writeZip } from '../archive/write-zip.js';
import { modelFiles } from '../model/model-files.js';
import { modelArtifacts, readModelJson } from '../model/read-model-json.js';

/** What an epoch came to. Validation is null when nothing is held out. */
const epochSchema = z.object({
  epoch: z.number().int(),
  loss: z.number(),
  accuracy: z.number(),
  valLoss: z.number().nullable(),
  valAccuracy: z.number().nullable(),
});
export type Epoch = z.infer<typeof epochSchema>;

/** Where a training stands after a whole epoch. */
const stateSchema = z.object({
  version: z.literal(1),
  /** The params it was made with, as JSON: another training's checkpoint is not gone on from. */
  params: z.string(),
  epochs: z.array(epochSchema).min(1),
  /** The epoch whose weights are the best so far, when that matters. */
  bestEpoch: z.number().int().nullable(),
});

/** A training that can go on: the model with its optimizer's state, and its history. */
export interface TrainingState {
  model: LayersModel;
  epochs: Epoch[];
  best: { epoch: number; weights: Float32Array[] } | null;
}

/** Writes the state as a zip archive: a layers model with its optimizer, and the best weights beside it. */
export async function writeCheckpoint(
  path: string,
  state: TrainingState,
  params: ModelTrainParams,
): Promise<void> {
  const { model, epochs, best } = state;
  const metadata = { version: 1, params: JSON.stringify(params), epochs, bestEpoch: best?.epoch ?? null };
  const files = await modelFiles(model, { metadata, includeOptimizer: true });
  await writeZip(path, { ...files, ...(best && { 'best.bin': joinWeights(best.weights) }) });
}

/** @throws Error when the file is not a checkpoint of a training with these params, or is damaged */
export async function readCheckpoint(path: string, params: ModelTrainParams): Promise<TrainingState> {
  // A large model with its optimizer's state is more than a data set's file may be.
  const archive = await openZip(path, trainLimits.archiveBytes);
  try {
    const file = (name: string) => {
      const found = archive.files.find((other) => other.name === name);
      if (!found) throw new Error(`The checkpoint has no ${name}.`);
      return found.read();
    };
    const json = readModelJson(Buffer.from(await file('model.json')).toString());
    const state = stateSchema.parse(json.userDefinedMetadata);
    if (state.params !== JSON.stringify(params))
      throw new Error('The checkpoint belongs to another training.');
    const artifacts = await modelArtifacts(json, file);
    const model = await loadLayersModel(tf.io.fromMemory(artifacts));
    const best =
      state.bestEpoch === null
        ? null
        : { epoch: state.bestEpoch, weights: splitWeights(model, await file('best.bin')) };
    return { model, epochs: state.epochs, best };
  } finally {
    await archive.close();
  }
}

/** Frees a model and its optimizer, which a model frees only when it made it itself. */
export function disposeState({ model }: TrainingState): void {
  const { optimizer } = model;
  model.dispose();
  optimizer.dispose();
}

/** A copy of a model's weights, outside of the engine. */
export const copyWeights = async (model: LayersModel): Promise<Float32Array[]> =>
  Promise.all(model.getWeights().map(async (weight) => Float32Array.from(await weight.data())));

/** Puts such a copy back. */
export function restoreWeights(model: LayersModel, weights: readonly Float32Array[]): void {
  tf.tidy(() =>
    model.setWeights(model.getWeights().map((weight, index) => tf.tensor(weights[index]!, weight.shape))),
  );
}

const joinWeights = (weights: readonly Float32Array[]): Uint8Array =>
  Buffer.concat(
    weights.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );

function splitWeights(model: LayersModel, bytes: Uint8Array): Float32Array[] {
  const all = new Float32Array(bytes.slice().buffer);
  const sizes = model.getWeights().map(({ size }) => size);
  if (all.length !== sizes.reduce((sum, size) => sum + size, 0))
    throw new Error('The best weights are not of this model.');
  let from = 0;
  return sizes.map((size) => all.slice(from, (from += size)));
}
