import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import { loadLayersModel } from '@tensorflow/tfjs-layers';
import type { Engine } from '../engines/engine.js';
import { wasmLoader } from '../engines/wasm.js';
import { openZip } from './archive/open-zip.js';
import { modelTrain } from '@gjm/core/workload/model-train.js';
import { workloadContext } from '../testing/workload-context.js';
import { WorkloadStopped } from './define.js';
import { buildModel } from './train/build-model.js';
import { Training } from './train/train.js';
import { modelArtifacts, readModelJson } from './model/read-model-json.js';
import { trainUnderTest } from './train/trained-under-test.js';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-train-'));
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const train = (...[given, more]: Tail<Parameters<typeof trainUnderTest>>) =>
  trainUnderTest(engine, folder, given, more);
type Tail<T extends unknown[]> = T extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** A training that takes a second: 300 digits, dense layers. */
const small = { model: 'mlp', maxExamples: 300, batchSize: 32, epochs: 4 } as const;

/** A training whose data turns into NaN after the first epoch, but for the held-out half. */
function poisonedTraining(given: object): Training {
  const params = modelTrain.params.parse({ data: '', model: 'mlp', epochs: 3, batchSize: 4, ...given });
  const labels = Uint16Array.from({ length: 16 }, (_, index) => index % 2);
  const values = Float32Array.from({ length: 32 }, (_, index) => (index % 5) - 2);
  const preprocessing = { type: 'table', label: 'y', columns: [] } as const;
  const examples = {
    values,
    scale: 1,
    shape: [2],
    labels,
    classes: ['a', 'b'],
    trainingCount: 8,
    preprocessing: { ...preprocessing, columns: [] },
  };
  const context = workloadContext({ params, inputs: {}, outputDir: folder, engine });
  const state = { model: buildModel([2], 2, params), epochs: [], best: null };
  return new Training(context, examples, state, async () => void values.fill(NaN, 0, 16));
}

describe('digits', () => {
  test('4,000 of them in 2 epochs give a cnn that reads 9 of 10 it has never seen', async () => {
    const { metrics, outputDir, told } = await train({ maxExamples: 4_000, epochs: 2 });
    expect(metrics).toMatchObject({
      end: 'all-epochs',
      validationExamples: 800,
      measured: { examples: 800 },
    });
    expect(metrics.measured.accuracy).toBeGreaterThanOrEqual(0.9);
    expect(told.get('epoch/val_accuracy')).toBe(metrics.measured.accuracy);
    const right = metrics.confusionMatrix.reduce((sum, row, index) => sum + row[index]!, 0);
    expect(right / 800).toBeCloseTo(metrics.measured.accuracy, 10);
    expect(metrics.confusionMatrix.flat().reduce((sum, count) => sum + count, 0)).toBe(800);

    const archive = await openZip(join(outputDir, 'model.zip'));
    expect(archive.files.map(({ name }) => name)).toEqual(['model.json', 'weights.bin']);
    const json = readModelJson(Buffer.from(await archive.files[0]!.read()).toString());
    const artifacts = await modelArtifacts(json, () => archive.files[1]!.read());
    await archive.close();
    const model = await loadLayersModel(tf.io.fromMemory(artifacts));
    expect(model.getUserDefinedMetadata()).toMatchObject({
      labels: metrics.classes,
      preprocessing: { type: 'image', width: 28, height: 28, channels: 1 },
    });
    expect(model.inputs[0]!.shape).toEqual([null, 28, 28, 1]);
    model.dispose();
  });

  test('one that goes on from a checkpoint ends as one that was never interrupted', async () => {
    const whole = await train(small);
    const resumed = await train(small, { resumeFrom: whole.checkpoints[1]! });
    expect(resumed.lines).toContain('going on after epoch 2 of 4, from the last checkpoint');
    expect(resumed.metrics.epochs).toHaveLength(4);
    expect(resumed.metrics.measured.loss).toBeCloseTo(whole.metrics.measured.loss, 4);
    expect(resumed.metrics.confusionMatrix).toEqual(whole.metrics.confusionMatrix);
    expect(resumed.checkpoints).toHaveLength(2);
  });

  test('a checkpoint that is damaged or of another training is not gone on from', async () => {
    const { checkpoints } = await train({ ...small, epochs: 1 });
    const bytes = await readFile(checkpoints[0]!);
    const cut = join(folder, 'cut.zip');
    await writeFile(cut, bytes.subarray(0, bytes.length / 2));
    const anew = await train({ ...small, epochs: 1 }, { resumeFrom: cut });
    expect(anew.lines.join('\n')).toContain('the last checkpoint can not be used, the training starts anew');
    expect(anew.checkpoints).toHaveLength(1);
    const other = await train({ ...small, epochs: 1, seed: 2 }, { resumeFrom: checkpoints[0]! });
    expect(other.lines.join('\n')).toContain('belongs to another training');
  });

  test('the same seed gives the same model, another seed another one', async () => {
    const runs: number[] = [];
    for (const seed of [1, 1, 2])
      runs.push((await train({ ...small, epochs: 1, seed })).metrics.measured.loss);
    expect(runs[0]).toBe(runs[1]);
    expect(runs[2]).not.toBe(runs[0]);
  });
});

describe('ends early', () => {
  test('at the accuracy that was asked for', async () => {
    const { metrics } = await train({ ...small, epochs: 50, targetAccuracy: 0.5 });
    expect(metrics.end).toBe('target-accuracy');
    expect(metrics.measured.accuracy).toBeGreaterThanOrEqual(0.5);
    expect(metrics.epochs.length).toBeLessThan(50);
  });

  test('when nothing gets better, with the best epoch, also over an interruption', async () => {
    const params = { ...small, epochs: 60, patience: 2, learningRate: 0.03, validationSplit: 0.4 };
    const { metrics, checkpoints } = await train(params);
    expect(metrics.end).toBe('no-improvement');
    expect(metrics.epochs.length).toBe(metrics.epoch + 2);
    const resumed = await train(params, { resumeFrom: checkpoints.at(-2)! });
    expect(resumed.metrics.epoch).toBe(metrics.epoch);
    expect(resumed.metrics.measured.loss).toBeCloseTo(metrics.measured.loss, 4);
  });

  test('with a clear failure when the loss is no number, or with the last whole epoch where that is asked for', async () => {
    const failing = poisonedTraining({});
    const failure: unknown = await failing.run().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'WORKLOAD_ERROR' });
    expect((failure as Error).message).toContain('no longer finite after epoch 2. A smaller learningRate');

    const stopping = poisonedTraining({ onNonFinite: 'stop' });
    const { end, epoch, measured } = await stopping.run();
    expect({ end, epoch }).toEqual({ end: 'non-finite-loss', epoch: 1 });
    expect(measured.loss).toBeGreaterThan(0);
  });

  test('when it is asked to stop', async () => {
    let progressed = 0;
    const training = train(small, {
      progress: () => void progressed++,
      stopIfAsked: () => {
        if (progressed >= 3) throw new WorkloadStopped();
      },
    });
    await expect(training).rejects.toBeInstanceOf(WorkloadStopped);
    expect(progressed).toBe(3);
  });
});
