import { z } from 'zod';
import { defineKind, fileParam } from './define.js';

const mebibyte = 1024 * 1024;

/** Limits that hold before a stranger's model is loaded or a result is written. */
export const predictLimits = {
  modelJsonBytes: 32 * mebibyte,
  /** A model's weight files together, and the numbers they become. */
  weightFileBytes: 256 * mebibyte,
  weightBytes: 512 * mebibyte,
  /** Numbers of one example: what goes in, what any layer makes of it, and what comes out. */
  inputValues: 4 * mebibyte,
  layerValues: 64 * mebibyte,
  outputValues: 65_536,
  /** What the engine may need for one batch beyond the weights; larger batches are made smaller. */
  batchBytes: 512 * mebibyte,
  /** A JSON file is read as a whole, other inputs are not. */
  jsonBytes: 64 * mebibyte,
};

export const modelPredict = defineKind({
  name: 'model.predict',
  title: 'Use a trained model',
  description:
    'Runs a model over a CSV file, a JSON file, one image or a zip of images. The model is the model.zip of a model.train job, or any zip with a TensorFlow.js layers or graph model (model.json and its weight files). Makes predictions.csv and predictions.json.',
  params: z.strictObject({
    model: fileParam(
      ['application/zip'],
      "A zip with model.json and its weight files: a training's model.zip, or a TensorFlow.js layers or graph model of your own.",
    ),
    input: fileParam(
      ['text/plain', 'image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/zip'],
      'What to predict from: CSV with a header, JSON rows, one image, or a zip of images.',
    ),
    batchSize: z
      .number()
      .int()
      .min(1)
      .max(4_096)
      .default(64)
      .describe('Examples per run of the model; fewer when they would not fit in memory.'),
  }),
  outputs: ['predictions.csv', 'predictions.json'],
  tiers: [],
  loadsUserModels: true,
});
export type ModelPredictParams = z.output<typeof modelPredict.params>;
