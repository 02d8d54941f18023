import type * as tf from '@tensorflow/tfjs-core';
import { ZodError } from 'zod';
import { cleanText } from '@gjm/core/text/clean.js';
import { predictLimits } from '@gjm/core/workload/model-predict.js';
import { EngineOutOfMemory } from '../../engines/engine.js';
import { isLitter } from '../archive/litter.js';
import { type ArchivedFile, openZip } from '../archive/open-zip.js';
import { invalidInput, WorkloadFailure, shown } from '../define.js';
import { modelArtifacts, type ModelJson, readModelJson, shardNames } from '../model/read-model-json.js';
import { sumWeights } from './weight-specs.js';

/** A model's files, read and held against the limits, not yet given to TensorFlow. */
export interface PackedModel {
  /** Path of its model.json within the archive. */
  where: string;
  format: 'layers' | 'graph';
  artifacts: tf.io.ModelArtifacts;
  /** Numbers in all weights together. */
  weightValues: number;
}

const accepted =
  'Accepted are the model.zip of a training, and a zip with a TensorFlow.js layers or graph model: model.json and its weight files, in one folder';

/**
 * Reads a model out of a zip archive.
 * @throws WorkloadFailure INVALID_INPUT with the name of the file that is at fault
 */
export async function readPackedModel(path: string): Promise<PackedModel> {
  const archive = await openZip(path, predictLimits.weightFileBytes);
  try {
    const files = archive.files.filter(({ name }) => !isLitter(name));
    const modelJson = findModelJson(files);
    return await readFiles(modelJson, files);
  } finally {
    await archive.close();
  }
}

function findModelJson(files: readonly ArchivedFile[]): ArchivedFile {
  const found = files.filter(({ name }) => /^([^/]+\/)?model\.json$/.test(name));
  if (found.length > 1)
    throw invalidInput(
      `The archive has more than one model: ${found.map(({ name }) => shown(name)).join(', ')}.`,
    );
  if (found[0]) return found[0];
  const foreign = files.find(({ name }) =>
    /\.(pb|h5|hdf5|keras|onnx|pt|pth|pkl|safetensors|tflite)$/i.test(name),
  );
  const what = foreign
    ? `${shown(foreign.name)} is of a format that is not read`
    : 'The archive has no model.json';
  throw invalidInput(`${what}. ${accepted}.`);
}

async function readFiles(modelJson: ArchivedFile, files: readonly ArchivedFile[]): Promise<PackedModel> {
  const where = modelJson.name;
  if (modelJson.bytes > predictLimits.modelJsonBytes)
    throw invalidInput(
      `${shown(where)} has ${modelJson.bytes} bytes, at most ${predictLimits.modelJsonBytes}.`,
    );
  const json = parse(Buffer.from(await modelJson.read()).toString('utf8'), where);
  const format = formatOf(json, where);
  const sum = sumWeights(json, where);
  const folder = where.slice(0, -'model.json'.length);
  const shards = new Map(namesOf(json, where).map((name) => [name, findShard(name, folder, files, where)]));
  if (shards.size < json.weightsManifest.flatMap(({ paths }) => paths).length)
    throw invalidInput(`${shown(where)} names a weight file twice.`);
  const bytes = [...shards.values()].reduce((total, shard) => total + shard.bytes, 0);
  if (bytes !== sum.fileBytes)
    throw invalidInput(
      `The weight files of ${shown(where)} have ${bytes} bytes, but its weights need ${sum.fileBytes}: they are cut off or belong to another model.`,
    );
  if (bytes > predictLimits.weightFileBytes)
    throw invalidInput(
      `The weight files of ${shown(where)} have ${bytes} bytes, at most ${predictLimits.weightFileBytes}.`,
    );
  // How it was trained does not matter here, and would only make an optimizer.
  const { trainingConfig: _, ...artifacts } = await modelArtifacts(json, (name) => shards.get(name)!.read());
  return { where, format, artifacts, weightValues: sum.values };
}

function parse(text: string, where: string): ModelJson {
  try {
    return readModelJson(text);
  } catch (error) {
    const why =
      error instanceof ZodError
        ? `${error.issues[0]!.path.join('.')} is not what it should be`
        : 'it is not JSON, or not whole';
    throw invalidInput(`${shown(where)} is no TensorFlow.js model: ${why}. ${accepted}.`, error);
  }
}

/** By its topology; what the file calls itself must not say otherwise. */
function formatOf({ modelTopology, format }: ModelJson, where: string): PackedModel['format'] {
  const isGraph = Array.isArray(modelTopology['node']);
  const isLayers = 'model_config' in modelTopology || 'class_name' in modelTopology;
  const name = isGraph ? 'graph' : 'layers';
  if (isGraph === isLayers || (format ?? `${name}-model`) !== `${name}-model`)
    throw invalidInput(`${shown(where)} is neither a layers model nor a graph model. ${accepted}.`);
  return name;
}

function namesOf(json: ModelJson, where: string): string[] {
  try {
    return shardNames(json);
  } catch (error) {
    throw invalidInput(`${shown(where)}: ${cleanText((error as Error).message, 300)}`, error);
  }
}

function findShard(
  name: string,
  folder: string,
  files: readonly ArchivedFile[],
  where: string,
): ArchivedFile {
  const file = files.find((other) => other.name === folder + name);
  if (!file)
    throw invalidInput(`The weight file ${shown(folder + name)} of ${shown(where)} is not in the archive.`);
  return file;
}

/** What TensorFlow or the runtime said of a model, as one sentence. Failures that are one already, and faults of the engine, stay themselves. */
export function modelFailure(where: string, what: string, error: unknown): Error {
  if (error instanceof WorkloadFailure || error instanceof EngineOutOfMemory) return error;
  if (error instanceof Error && (error.name === 'RuntimeError' || /allocation failed/.test(error.message)))
    return error;
  const text = error instanceof Error ? error.message : String(error);
  const kernel = /Kernel '(\w+)' not registered for backend '(\w+)'/.exec(text);
  if (kernel)
    return new WorkloadFailure(
      'NO_ENGINE',
      `The model of ${shown(where)} needs the kernel ${kernel[1]}, which the engine ${kernel[2]} does not have.`,
      { cause: error },
    );
  const [line = ''] = text.split('\n');
  return invalidInput(`The model of ${shown(where)} can not be ${what}: ${cleanText(line, 400)}`, error);
}
