import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { chooseEngine } from '../../engines/choose.js';
import type { Engine } from '../../engines/engine.js';
import { warmTensors } from '../../workloads/warm-models.js';
import { engineCases } from './all.js';
import type { CaseAnswer, EngineReport } from './report.js';

// Main of a process that computes all cases on one engine and tells its parent; it ends by itself.
const { engine, audit } = await chooseEngine(process.argv.slice(2));
const row = audit[0]!;
const report: EngineReport = { audit: row, answers: {}, cores: 0 };
if (engine) {
  const folder = await mkdtemp(join(tmpdir(), 'gjm-engine-cases-'));
  for (const one of engineCases) report.answers[one.name] = await answerOf(one, engine, folder);
  await rm(folder, { recursive: true });
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  report.cores = loaded.filter((path) => path.endsWith('/tf-core.node.js')).length;
}
process.send!(report, () => process.disconnect());

async function answerOf(
  one: (typeof engineCases)[number],
  engine: Engine,
  folder: string,
): Promise<CaseAnswer> {
  const before = tf.memory().numTensors - warmTensors();
  try {
    const values = await one.compute(engine, await mkdtemp(join(folder, 'case-')));
    const isInUse = engine.inUse() === engine.name;
    return { values, tensors: tf.memory().numTensors - warmTensors() - before, isInUse };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
