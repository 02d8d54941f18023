import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FromRunner } from '@gjm/core/wire/ipc.js';
import { type RunnerUnderTest, startRunner } from '../../runner/runner-under-test.js';
import { openZip } from '../archive/open-zip.js';
import type { Metrics } from './trained-under-test.js';

/**
 * How far two engines may be apart after 8 steps, in absolute numbers. They add up in another order, so the last bits differ (7e-7 was seen);
 * a wrong gradient would show, since Adam moves a weight by about the learning rate of 1e-3 a step.
 */
const tolerance = { loss: 1e-5, weight: 5e-5 };

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

/** How the training ended; while it goes on, it says so. */
async function endOf(runner: RunnerUnderTest): Promise<FromRunner> {
  for (;;) {
    const message = await runner.next('progress', 'done', 'failed');
    if (message.type !== 'progress') return message;
  }
}

/** A whole training of a few digits in a runner of this engine; cpu takes a second for four pictures of a cnn. */
async function train(engine: EngineUnderTest, model: string): Promise<Trained> {
  const outputDir = await mkdtemp(join(folder, `${engine}-`));
  runners[engine].send({
    type: 'start',
    attemptId: 'att_1',
    jobId: 'job_1',
    kind: 'model.train',
    params: { data: 'digits', model, epochs: 2, batchSize: 4, maxExamples: 20 },
    tier: null,
    inputs: {},
    outputDir,
    checkpointDir: outputDir,
    resumeFrom: null,
    traceparent: null,
  });
  expect(await endOf(runners[engine])).toMatchObject({ type: 'done', engine });
  const archive = await openZip(join(outputDir, 'model.zip'));
  const bytes = await archive.files.find(({ name }) => name === 'weights.bin')!.read();
  await archive.close();
  const metrics = JSON.parse(await readFile(join(outputDir, 'metrics.json'), 'utf8')) as Metrics;
  return { metrics, weights: new Float32Array(Uint8Array.from(bytes).buffer) };
}

test.each(['mlp', 'cnn'])('a whole training of a %s ends on wasm as on cpu', async (model) => {
  const [wasm, cpu] = await Promise.all([train('wasm', model), train('cpu', model)]);
  expect(cpu.metrics.epochs).toHaveLength(2);
  expect(cpu.metrics.epochs[1]!.loss).toBeLessThan(cpu.metrics.epochs[0]!.loss);
  for (const [index, { loss }] of cpu.metrics.epochs.entries())
    expect(Math.abs(wasm.metrics.epochs[index]!.loss - loss)).toBeLessThan(tolerance.loss);
  expect(Math.abs(wasm.metrics.measured.loss - cpu.metrics.measured.loss)).toBeLessThan(tolerance.loss);
  expect(wasm.metrics.confusionMatrix).toEqual(cpu.metrics.confusionMatrix);

  expect(wasm.weights).toHaveLength(cpu.weights.length);
  const apart = cpu.weights.map((weight, index) => Math.abs(weight - wasm.weights[index]!));
  expect(apart.reduce((most, it) => Math.max(most, it))).toBeLessThan(tolerance.weight);
});
