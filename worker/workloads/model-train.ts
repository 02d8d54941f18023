import { join } from 'node:path';
import { rename, writeFile } from 'node:fs/promises';
import { modelTrain, type ModelTrainParams } from '@gjm/core/workload/model-train.js';
import { writeZip } from './archive/write-zip.js';
import { defineWorkload, type Output, type WorkloadContext } from './define.js';
import type { TrainingState } from './train/checkpoint.js';
import type { Examples } from './train/examples.js';
import type { Trained } from './train/train.js';

type Context = WorkloadContext<ModelTrainParams>;

/** Trains a classifier, goes on from an earlier attempt's last checkpoint, and leaves one after each epoch. */
export const modelTrainWorkload = defineWorkload(modelTrain, async (context) => {
  const examples = await readExamples(context);
  await context.print(
    `${examples.trainingCount} examples to learn from, ${examples.labels.length - examples.trainingCount} held out; ${context.params.model} on ${context.engine.name}`,
  );
  const state = await beginOrResume(context, examples);
  try {
    await assertRoom(context, examples, state);
    const { Training } = await import('./train/train.js');
    const training = new Training(context, examples, state, () => leaveCheckpoint(context, state));
    const trained = await training.run();
    return await writeResults(context, examples, state, trained);
  } finally {
    const { disposeState } = await import('./train/checkpoint.js');
    disposeState(state);
  }
});

/** What reads files is loaded by the first attempt that needs it. */
async function readExamples(context: Context): Promise<Examples> {
  const path = context.inputs['data'];
  if (path === undefined) return (await import('./train/digits.js')).readDigits(context.params);
  const { isZip } = await import('./archive/open-zip.js');
  if (await isZip(path))
    return (await import('./train/read-image-folders.js')).readImageFolders(path, context);
  return (await import('./train/read-table.js')).readTable(path, context);
}

async function beginOrResume(context: Context, examples: Examples): Promise<TrainingState> {
  const { params, resumeFrom } = context;
  if (resumeFrom !== null) {
    const { readCheckpoint } = await import('./train/checkpoint.js');
    try {
      const state = await readCheckpoint(resumeFrom, params);
      await context.print(
        `going on after epoch ${state.epochs.length} of ${params.epochs}, from the last checkpoint`,
      );
      return state;
    } catch (error) {
      await context.print(
        `the last checkpoint can not be used, the training starts anew: ${(error as Error).message}`,
      );
    }
  }
  const { buildModel } = await import('./train/build-model.js');
  return { model: buildModel(examples.shape, examples.classes.length, params), epochs: [], best: null };
}

/** @throws EngineOutOfMemory before the first step, when a batch would not fit */
async function assertRoom({ engine, params }: Context, examples: Examples, { model }: TrainingState) {
  const { trainingBytes } = await import('./train/training-room.js');
  const largest = Math.min(params.batchSize, examples.labels.length);
  engine.assertRoom(trainingBytes(model, largest));
}

async function leaveCheckpoint(context: Context, state: TrainingState): Promise<void> {
  const { writeCheckpoint } = await import('./train/checkpoint.js');
  const name = `checkpoint-epoch-${state.epochs.length}.zip`;
  await writeCheckpoint(join(context.checkpointDir, name), state, context.params);
  context.checkpoint({ name, path: name, mediaType: 'application/zip' });
}

async function writeResults(
  context: Context,
  examples: Examples,
  { model, epochs }: TrainingState,
  { end, epoch, measured }: Trained,
): Promise<Output[]> {
  const { params, outputDir } = context;
  const { modelFiles } = await import('./model/model-files.js');
  const { classes, preprocessing, trainingCount } = examples;
  const metadata = { labels: classes, preprocessing };
  await writeZip(
    join(outputDir, 'model.zip'),
    await modelFiles(model, { metadata, includeOptimizer: false }),
  );
  const { examples: count, loss, accuracy, confusion } = measured;
  const heldOut = examples.labels.length > trainingCount;
  const metrics = {
    ...{ params, classes, end, epoch, epochs },
    trainingExamples: trainingCount,
    validationExamples: examples.labels.length - trainingCount,
    measuredOn: heldOut ? 'validation' : 'training',
    measured: { examples: count, loss, accuracy },
    /** Rows: true classes, columns: what the model said, both in the order of `classes`. */
    confusionMatrix: confusion,
  };
  const path = join(outputDir, 'metrics.json');
  await writeFile(`${path}.part`, JSON.stringify(metrics, null, 2));
  await rename(`${path}.part`, path);
  await context.print(
    `${end}: epoch ${epoch}, ${metrics.measuredOn} loss ${loss.toFixed(4)}, accuracy ${accuracy.toFixed(4)}`,
  );
  return [
    { name: 'model.zip', path: 'model.zip', mediaType: 'application/zip' },
    { name: 'metrics.json', path: 'metrics.json', mediaType: 'application/json' },
  ];
}
