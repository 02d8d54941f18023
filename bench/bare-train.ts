/**
 * The same training with nothing of ours around it: no runner, no supervisor, no server, and no checkpoints, curves or progress either. Forked
 * with params of model.train as JSON, a number of runs and an engine; measures from the model's making to the last measuring, per run.
 */
import { modelTrain } from '@gjm/core/workload/model-train.js';
import { chooseEngine } from '@gjm/worker/engines/choose.js';
import { buildModel } from '@gjm/worker/workloads/train/build-model.js';
import { readDigits } from '@gjm/worker/workloads/train/digits.js';
import { inputBatch, labelBatch } from '@gjm/worker/workloads/train/examples.js';
import { measure } from '@gjm/worker/workloads/train/measure.js';
import { shuffled } from '@gjm/worker/workloads/train/seeded.js';
import { tellRuns } from './bare-run.js';

const [given = '{}', runs = '1', name = 'wasm'] = process.argv.slice(2);
const params = modelTrain.params.parse(JSON.parse(given));
const { engine } = await chooseEngine([name]);
if (!engine) throw new Error(`The engine ${name} does not load here.`);
const examples = await readDigits(params);
const { trainingCount, labels, shape, classes } = examples;
await tellRuns(Number(runs), async () => {
  const model = buildModel(shape, classes.length, params);
  for (let epoch = 1; epoch <= params.epochs; epoch++) {
    const order = shuffled(trainingCount, params.seed, `epoch ${epoch}`);
    for (let from = 0; from < trainingCount; from += params.batchSize) {
      const rows = order.subarray(from, from + params.batchSize);
      const batch = [inputBatch(examples, rows), labelBatch(examples, rows)] as const;
      await model.trainOnBatch(...batch);
      for (const tensor of batch) tensor.dispose();
    }
    await measure(model, examples, [trainingCount, labels.length], params.batchSize, async () => undefined);
  }
  const { optimizer } = model;
  model.dispose();
  optimizer.dispose();
});
