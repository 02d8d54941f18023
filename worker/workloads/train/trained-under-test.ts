import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { modelTrain, type ModelTrainParams } from '@gjm/core/workload/model-train.js';
import type { Engine } from '../../engines/engine.js';
import { workloadContext } from '../../testing/workload-context.js';
import type { WorkloadContext } from '../define.js';
import { modelTrainWorkload } from '../model-train.js';

/** What metrics.json holds, as far as tests look. */
export interface Metrics {
  end: string;
  epoch: number;
  classes: string[];
  epochs: { epoch: number; loss: number; valAccuracy: number | null }[];
  validationExamples: number;
  measured: { examples: number; loss: number; accuracy: number };
  confusionMatrix: number[][];
}

export interface TrainedUnderTest {
  outputDir: string;
  metrics: Metrics;
  lines: string[];
  /** Paths of the checkpoints, oldest first. */
  checkpoints: string[];
  /** Every metric's name with its last value. */
  told: Map<string, number>;
}

type Given = { [Key in keyof ModelTrainParams]?: ModelTrainParams[Key] | undefined };

/** Runs a training in this process, as a runner would, and checks that it leaves no tensor behind. */
export async function trainUnderTest(
  engine: Engine,
  folder: string,
  given: Given,
  more: Partial<WorkloadContext<ModelTrainParams>> & { data?: string } = {},
): Promise<TrainedUnderTest> {
  const { data, ...changes } = more;
  const outputDir = await mkdtemp(join(folder, 'out-'));
  const lines: string[] = [];
  const checkpoints: string[] = [];
  const told = new Map<string, number>();
  const before = tf.memory().numTensors;
  const context = workloadContext<ModelTrainParams>({
    params: modelTrain.params.parse({ data: data === undefined ? 'digits' : '', ...given }),
    inputs: data === undefined ? {} : { data },
    outputDir,
    engine,
    metric: (name, value) => void told.set(name, value),
    checkpoint: ({ path }) => void checkpoints.push(join(outputDir, path)),
    print: async (line) => void lines.push(String(line)),
    ...changes,
  });
  await modelTrainWorkload.run(context).finally(() => {
    const left = tf.memory().numTensors - before;
    if (left !== 0) throw new Error(`${left} tensors were left behind`);
  });
  const metrics = JSON.parse(await readFile(join(outputDir, 'metrics.json'), 'utf8')) as Metrics;
  return { outputDir, metrics, lines, checkpoints, told };
}
