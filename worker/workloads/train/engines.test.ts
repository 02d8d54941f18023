import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunnerUnderTest, startRunner } from '../../runner/runner-under-test.js';
import { openZip } from '../archive/open-zip.js';
import type { Metrics } from './trained-under-test.js';

/**
 * How far two engines may be apart after a training: they add up in another order, which moves the last bits of a gradient, and Adam divides
 * by its size, so that a gradient of almost nothing moves its weight by up to the learning rate of 1e-3 a step.
 */
const tolerance = { loss: 1e-4, weight: 1e-3, meanWeight: 1e-6 };

const engines = ['wasm', 'cpu'] as const;
type EngineUnderTest = (typeof engines)[number];
let folder: string;
let runners: Record<EngineUnderTest, RunnerUnderTest>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-train-engines-'));
  const [wasm, cpu] = engines.map((engine) => startRunner({ GJM_RUNNER_ENGINES: engine }));
  runners = { wasm: wasm!, cpu: cpu! };
  for (const engine of engines)
    expect(await runners[engine].next('ready', 'unusable')).toMatchObject({ type: 'ready', engine });
});
afterAll(async () => {
  await Promise.all(Object.values(runners).map((runner) => runner.close()));
  await rm(folder, { recursive: true, force: true });
});

interface Trained {
  metrics: Metrics;
  /** All numbers of the model, layer by layer. */
  weights: Float32Array;
}

/** A whole training of 40 digits in a runner of this engine. */
async function train(engine: EngineUnderTest, model: string): Promise<Trained> {
  const outputDir = await mkdtemp(join(folder, `${engine}-`));
  runners[engine].send({
    type: 'start',
    attemptId: 'att_1',
    jobId: 'job_1',
    kind: 'model.train',
    params: { data: 'digits', model, epochs: 2, batchSize: 8, maxExamples: 40 },
    tier: null,
    inputs: {},
    outputDir,
    checkpointDir: outputDir,
    resumeFrom: null,
    traceparent: null,
  });
  expect(await runners[engine].next('done', 'failed')).toMatchObject({ type: 'done', engine });
  const archive = await openZip(join(outputDir, 'model.zip'));
  const bytes = await archive.files.find(({ name }) => name === 'weights.bin')!.read();
  await archive.close();
  const metrics = JSON.parse(await readFile(join(outputDir, 'metrics.json'), 'utf8')) as Metrics;
  return { metrics, weights: new Float32Array(Uint8Array.from(bytes).buffer) };
}

test.each(['mlp', 'cnn'])('a whole training of a %s ends on wasm as on cpu', async (model) => {
  const [wasm, cpu] = [await train('wasm', model), await train('cpu', model)];
  expect(cpu.metrics.epochs).toHaveLength(2);
  expect(cpu.metrics.epochs[1]!.loss).toBeLessThan(cpu.metrics.epochs[0]!.loss);
  for (const [index, { loss }] of cpu.metrics.epochs.entries())
    expect(Math.abs(wasm.metrics.epochs[index]!.loss - loss)).toBeLessThan(tolerance.loss);
  expect(Math.abs(wasm.metrics.measured.loss - cpu.metrics.measured.loss)).toBeLessThan(tolerance.loss);
  expect(wasm.metrics.confusionMatrix).toEqual(cpu.metrics.confusionMatrix);

  expect(wasm.weights).toHaveLength(cpu.weights.length);
  const apart = cpu.weights.map((weight, index) => Math.abs(weight - wasm.weights[index]!));
  console.error(model, cpu.weights.length, apart.reduce((a, b) => Math.max(a, b)), apart.reduce((sum, it) => sum + it, 0) / apart.length, cpu.metrics.epochs, wasm.metrics.epochs, cpu.metrics.measured, wasm.metrics.measured);
  expect(apart.reduce((most, it) => Math.max(most, it))).toBeLessThan(tolerance.weight);
  expect(apart.reduce((sum, it) => sum + it) / apart.length).toBeLessThan(tolerance.meanWeight);
});
