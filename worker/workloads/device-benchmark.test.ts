import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import { cpuLoader } from '../engines/cpu.js';
import type { Engine } from '../engines/engine.js';
import { wasmLoader } from '../engines/wasm.js';
import { workloadContext } from '../testing/workload-context.js';
import { measure } from './benchmark/measure.js';
import { WorkloadStopped } from './define.js';
import { deviceBenchmarkWorkload } from './device-benchmark.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-benchmark-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const engines = [cpuLoader, wasmLoader];

async function engineOf(loader: (typeof engines)[number]): Promise<Engine> {
  const loaded = await loader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.engine;
}

interface Figures {
  engine: string;
  matmul: { size: number; gflops: number; medianMs: number }[];
  memory: { bytes: number; gigabytesPerSecond: number }[];
}

test.each(engines)('$name is measured: a figure and a metric for each size', async (loader) => {
  const engine = await engineOf(loader);
  const metrics: Record<string, number> = {};
  const before = tf.memory().numTensors;
  const outputs = await deviceBenchmarkWorkload.run(
    workloadContext({
      ...{ params: {}, inputs: {}, outputDir: folder, engine },
      metric: (name, value) => void (metrics[name] = value),
    }),
  );
  expect(tf.memory().numTensors).toBe(before);
  expect(outputs).toEqual([
    { name: 'benchmark.json', path: 'benchmark.json', mediaType: 'application/json' },
  ]);
  const figures = JSON.parse(await readFile(join(folder, 'benchmark.json'), 'utf8')) as Figures;
  expect(figures.engine).toBe(engine.name);
  expect(figures.matmul[0]).toMatchObject({ size: 256 });
  expect(figures.memory[0]).toMatchObject({ bytes: 2 ** 20 });
  const told: Record<string, number> = {};
  for (const { size, gflops } of figures.matmul) told[`matmul_gflops_${size}`] = gflops;
  for (const { bytes, gigabytesPerSecond } of figures.memory)
    told[`memory_gb_per_s_${bytes / 2 ** 20}mib`] = gigabytesPerSecond;
  expect(metrics).toEqual(told);
  expect(Object.values(metrics).every((value) => value > 0 && Number.isFinite(value))).toBe(true);
});

test('a stop ends the work between repeats', async () => {
  const engine = await engineOf(wasmLoader);
  const given = { params: {}, inputs: {}, outputDir: folder, engine, stopRequested: () => true };
  await expect(deviceBenchmarkWorkload.run(workloadContext(given))).rejects.toThrow(WorkloadStopped);
});

test('a device that computes wrong values gets no figure', async () => {
  await engineOf(wasmLoader);
  const wrong = { prepare: () => [], once: () => tf.tensor1d([3]), expected: 2 };
  await expect(measure(wrong, () => Promise.resolve())).rejects.toMatchObject({
    code: 'WORKLOAD_ERROR',
    message: 'The device computed 3 instead of 2.',
  });
});
