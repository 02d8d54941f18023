import * as tf from '@tensorflow/tfjs-core';
import { type ModelPredictParams, predictLimits } from '@gjm/core/workload/model-predict.js';
import { invalidInput, type Output, type WorkloadContext, shown } from '../define.js';
import type { Example, ExampleSource } from './example.js';
import { leavingNoTensors } from './own-tensors.js';
import { modelFailure } from './packed-model.js';
import { PredictionFiles } from './prediction-files.js';
import type { Predictor } from './predictor.js';

type Context = WorkloadContext<ModelPredictParams>;

/** The speed is told at most so often, in ms. */
const metricMs = 1_000;

/** Predicts all examples of a source and writes the results as they come. */
export async function predictAll(
  predictor: Predictor,
  source: ExampleSource,
  context: Context,
): Promise<Output[]> {
  const batchSize = await chooseBatchSize(predictor, context);
  await context.print(`${source.what}, in batches of ${batchSize}`);
  const { labels, outputValues } = predictor;
  const files = await PredictionFiles.open(context.outputDir, labels, outputValues);
  const startedAt = performance.now();
  let [done, toldAt] = [0, startedAt];
  try {
    for await (const batch of batchesOf(source.read(), batchSize)) {
      const values = await predictBatch(predictor, batch);
      await files.write(
        batch.map(({ name }) => name),
        values,
      );
      done += batch.length;
      const now = performance.now();
      const perSecond = done / ((now - startedAt) / 1_000);
      if (now - toldAt >= metricMs || done === source.count) {
        context.metric('examplesPerSecond', perSecond, done);
        toldAt = now;
      }
      context.progress({
        step: done,
        total: source.count,
        message: `${done} of ${source.count} examples`,
        etaSeconds: Math.ceil((source.count - done) / perSecond),
      });
      await takeTurn(context);
    }
    await context.print(`${done} predictions in ${((performance.now() - startedAt) / 1_000).toFixed(2)} s`);
    return await files.finish();
  } catch (error) {
    await files.close();
    throw error;
  }
}

export async function takeTurn(context: Context): Promise<void> {
  await context.yieldNow();
  context.stopIfAsked();
}

/** What was asked for, unless the model has a size of its own or so many would not fit in memory. */
async function chooseBatchSize({ model, bytesPerExample }: Predictor, context: Context): Promise<number> {
  if (model.fixedBatch !== null) return model.fixedBatch;
  const { batchSize: wanted } = context.params;
  const most = Math.max(1, Math.floor(predictLimits.batchBytes / bytesPerExample));
  if (most < wanted)
    await context.print(
      `batches of ${most} instead of ${wanted}: one example takes ${Math.ceil(bytesPerExample)} bytes`,
    );
  context.engine.assertRoom(Math.min(wanted, most) * bytesPerExample);
  return Math.min(wanted, most);
}

async function* batchesOf(examples: AsyncIterable<Example>, size: number): AsyncGenerator<Example[]> {
  let batch: Example[] = [];
  for await (const example of examples) {
    batch.push(example);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A batch that is built into the model is filled up with zeros, whose results nobody reads. */
async function predictBatch(predictor: Predictor, examples: readonly Example[]): Promise<ArrayLike<number>> {
  const { model, inputValues, outputValues } = predictor;
  const count = model.fixedBatch ?? examples.length;
  const values = new Float32Array(count * inputValues);
  for (const [index, example] of examples.entries()) values.set(example.values, index * inputValues);
  if (model.inputType === 'int32' && !values.every(Number.isInteger))
    throw invalidInput(`The model of ${shown(model.where)} takes whole numbers only.`);
  return leavingNoTensors(async () => {
    const shape = [count, ...model.inputShape];
    const batch =
      model.inputType === 'int32'
        ? tf.tensor(Int32Array.from(values), shape, 'int32')
        : tf.tensor(values, shape, 'float32');
    const output = await model.run(batch).catch((error: unknown) => {
      throw modelFailure(model.where, 'run', error);
    });
    if (output.size !== count * outputValues)
      throw invalidInput(
        `The model of ${shown(model.where)} does not give ${outputValues} numbers for each example: it gave [${output.shape.join(', ')}].`,
      );
    return output.data();
  });
}
