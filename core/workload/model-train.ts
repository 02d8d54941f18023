import { z } from 'zod';
import { defineKind, fileParam } from './define.js';

/** Limits that hold before a model is made. */
export const trainLimits = {
  /** Rows of a CSV file. */
  rows: 20_000_000,
  /** Numbers in the table that a CSV file becomes, rows × inputs. */
  cells: 100_000_000,
  /** Numbers in all pictures of a data set together, after they were made small. */
  pixels: 400_000_000,
  classes: 1_000,
  /** Different texts of one CSV column that get an input of their own; the rest share one. */
  categories: 100,
  /** Uncompressed bytes of an archive's files: one, and all together. */
  fileBytes: 64 * 1024 * 1024,
  archiveBytes: 8 * 1024 * 1024 * 1024,
  files: 200_000,
};

export const modelTrain = defineKind({
  name: 'model.train',
  title: 'Train a classifier',
  description:
    'Trains a small neural network on the bundled digits, a zip of image folders (one folder per class) or a CSV file with a label column. Makes model.zip (a TensorFlow.js layers model with labels and preprocessing) and metrics.json; goes on from its last checkpoint after a lost worker.',
  params: z.strictObject({
    data: z
      .union([
        z.literal('digits').describe('The bundled 10,000 handwritten digits, 28×28.'),
        fileParam(['application/zip', 'text/plain'], 'A zip of image folders, or a CSV file.'),
      ])
      .describe('What to learn from.'),
    model: z
      .enum(['cnn', 'mlp'])
      .default('cnn')
      .describe('cnn: convolutions, for pictures. mlp: dense layers, for tables (or pictures).'),
    label: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('CSV only: the column to predict. Default: the last one.'),
    epochs: z.number().int().min(1).max(10_000).default(5).describe('Passes over the training examples.'),
    batchSize: z.number().int().min(1).max(4_096).default(64).describe('Examples per training step.'),
    learningRate: z.number().positive().max(10).default(0.001).describe('Step size of the Adam optimizer.'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .default(1)
      .describe('The same seed, data and settings give the same model.'),
    validationSplit: z
      .number()
      .min(0)
      .max(0.9)
      .default(0.2)
      .describe('Share of the examples that is held out to measure with.'),
    maxExamples: z
      .number()
      .int()
      .min(2)
      .max(10_000_000)
      .optional()
      .describe('Takes only so many examples, chosen by the seed.'),
    imageSize: z
      .number()
      .int()
      .min(8)
      .max(224)
      .default(32)
      .describe('Zip only: pictures become squares of this side.'),
    patience: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Stops early after so many epochs without a lower validation loss, and keeps the best one.'),
    targetAccuracy: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('Stops early once an epoch reaches this validation accuracy.'),
    onNonFinite: z
      .enum(['fail', 'stop'])
      .default('fail')
      .describe(
        'When the loss is no longer a number: fail the job, or stop and keep the model of the last whole epoch.',
      ),
  }),
  outputs: ['model.zip', 'metrics.json'],
  tiers: [],
  keepsCheckpoints: true,
  check: ({ model }, types) =>
    model === 'cnn' && types['data'] === 'text/plain'
      ? [{ path: ['model'], message: 'must be mlp for a CSV file, which has no pictures' }]
      : [],
});
export type ModelTrainParams = z.output<typeof modelTrain.params>;
