import * as tf from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { predictLimits } from '@gjm/core/workload/model-predict.js';
import { invalidInput, shown } from '../define.js';
import { type Preprocessing, preprocessingSchema, widthOf } from '../model/preprocessing.js';
import { loadGraph } from './graph-model.js';
import { loadLayers } from './layers-model.js';
import type { LoadedModel } from './loaded-model.js';
import { modelFailure, readPackedModel } from './packed-model.js';

/** A model that has computed once, with what it takes and gives. */
export interface Predictor {
  model: LoadedModel;
  /** Numbers one example becomes, and those that come out for it. */
  inputValues: number;
  outputValues: number;
  /** What happens to an example first; null: it is given as it is. */
  preprocessing: Preprocessing | null;
  /** Names of the classes whose probabilities come out; null when the output is something else. */
  labels: string[] | null;
  /** Engine memory that one example takes while the model computes. */
  bytesPerExample: number;
}

/**
 * Reads and loads a model and runs it once on zeros, so that a missing kernel or weights that do not fit are known before any input is read.
 * @throws WorkloadFailure INVALID_INPUT with the name of the file that is at fault; NO_ENGINE for a kernel the engine lacks
 */
export async function loadPredictor(path: string): Promise<Predictor> {
  const packed = await readPackedModel(path);
  const model = await (packed.format === 'graph' ? loadGraph(packed) : loadLayers(packed));
  const inputValues = model.inputShape.reduce((size, side) => size * side, 1);
  const { outputValues, bytesPerExample } = await tryOut(model, inputValues);
  const { where, metadata, isSoftmax } = model;
  const preprocessing = preprocessingOf(metadata, inputValues, where);
  const named = labelsOf(metadata, outputValues, where);
  const numbered = Array.from({ length: outputValues }, (_, index) => String(index));
  const labels = named ?? (isSoftmax && outputValues > 1 ? numbered : null);
  return { model, inputValues, outputValues, preprocessing, labels, bytesPerExample };
}

async function tryOut(model: LoadedModel, inputValues: number) {
  const count = model.fixedBatch ?? 1;
  const [output, peakBytes] = await measuringPeak(async () =>
    model.run(tf.zeros([count, ...model.inputShape], model.inputType)),
  ).catch((error: unknown) => {
    throw modelFailure(model.where, 'run', error);
  });
  const outputValues = checkOutput(model, output, count);
  return { outputValues, bytesPerExample: Math.max(peakBytes / count, 4 * (inputValues + outputValues)) };
}

/**
 * What `work` gives, with the bytes of tensors that lived at once beyond those before. `tf.profile` would tell it as well, but it loses the
 * errors of kernels.
 */
async function measuringPeak<T>(work: () => Promise<T>): Promise<[T, number]> {
  const engine = tf.engine();
  const trackTensor = engine.trackTensor.bind(engine);
  const before = engine.state.numBytes;
  let peak = before;
  engine.trackTensor = (tensor, backend) => {
    trackTensor(tensor, backend);
    peak = Math.max(peak, engine.state.numBytes);
  };
  try {
    return [await work(), peak - before];
  } finally {
    // The engine's class has it still.
    Reflect.deleteProperty(engine, 'trackTensor');
  }
}

function checkOutput({ where }: LoadedModel, output: tf.Tensor, count: number): number {
  const { shape, size, dtype } = output;
  if (shape[0] !== count || size === 0)
    throw invalidInput(
      `The model of ${shown(where)} does not give one result per example: for ${count} it gave [${shape.join(', ')}].`,
    );
  if (dtype !== 'float32' && dtype !== 'int32' && dtype !== 'bool')
    throw invalidInput(`The model of ${shown(where)} gives ${dtype} values, not numbers.`);
  if (size / count > predictLimits.outputValues)
    throw invalidInput(
      `The model of ${shown(where)} gives ${size / count} numbers per example, at most ${predictLimits.outputValues}.`,
    );
  return size / count;
}

function preprocessingOf(
  metadata: LoadedModel['metadata'],
  inputValues: number,
  where: string,
): Preprocessing | null {
  if (metadata['preprocessing'] === undefined) return null;
  const parsed = preprocessingSchema.safeParse(metadata['preprocessing']);
  if (!parsed.success)
    throw invalidInput(`${shown(where)}: its preprocessing is not one that is known here.`);
  const values =
    parsed.data.type === 'image'
      ? parsed.data.width * parsed.data.height * parsed.data.channels
      : parsed.data.columns.reduce((sum, column) => sum + widthOf(column), 0);
  if (values !== inputValues)
    throw invalidInput(
      `${shown(where)}: its preprocessing makes ${values} numbers of an example, the model takes ${inputValues}.`,
    );
  return parsed.data;
}

const labelsSchema = z.array(z.string().max(1_000)).min(2);

function labelsOf(metadata: LoadedModel['metadata'], outputValues: number, where: string): string[] | null {
  if (metadata['labels'] === undefined) return null;
  const parsed = labelsSchema.safeParse(metadata['labels']);
  if (!parsed.success || parsed.data.length !== outputValues)
    throw invalidInput(
      `${shown(where)}: its labels are not a list of ${outputValues} texts, one for each number that comes out.`,
    );
  return parsed.data;
}
