import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { modelPredict, type ModelPredictParams } from '@gjm/core/workload/model-predict.js';
import type { Engine } from '../../engines/engine.js';
import { workloadContext } from '../../testing/workload-context.js';
import type { WorkloadContext } from '../define.js';
import { modelPredictWorkload } from '../model-predict.js';

interface Prediction {
  example: string | number;
  label?: string | null;
  probability?: number | null;
  probabilities?: (number | null)[];
  values?: (number | null)[];
}

export interface PredictedUnderTest {
  /** Rows of predictions.csv as they stand there, the header first. */
  csv: string[];
  json: { labels?: string[]; predictions: Prediction[] };
  lines: string[];
  told: Map<string, number>;
}

/** Runs a model over an input in this process, as a runner would, and checks that no tensor is left behind, however it ends. */
export async function predictUnderTest(
  engine: Engine,
  folder: string,
  model: string,
  input: string | Uint8Array,
  more: Partial<WorkloadContext<ModelPredictParams>> & { batchSize?: number } = {},
): Promise<PredictedUnderTest> {
  const { batchSize, ...changes } = more;
  const outputDir = await mkdtemp(join(folder, 'out-'));
  const inputPath = join(outputDir, 'input');
  await writeFile(inputPath, input);
  const lines: string[] = [];
  const told = new Map<string, number>();
  const before = tf.memory().numTensors;
  const context = workloadContext<ModelPredictParams>({
    params: modelPredict.params.parse({ model: '', input: '', ...(batchSize && { batchSize }) }),
    inputs: { model, input: inputPath },
    outputDir,
    engine,
    metric: (name, value) => void told.set(name, value),
    print: async (line) => void lines.push(String(line)),
    ...changes,
  });
  await modelPredictWorkload.run(context).finally(() => {
    const left = tf.memory().numTensors - before;
    if (left !== 0) throw new Error(`${left} tensors were left behind`);
  });
  const csv = (await readFile(join(outputDir, 'predictions.csv'), 'utf8')).trimEnd().split('\r\n');
  const json = JSON.parse(
    await readFile(join(outputDir, 'predictions.json'), 'utf8'),
  ) as PredictedUnderTest['json'];
  return { csv, json, lines, told };
}
