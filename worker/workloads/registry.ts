import type { Kind } from '@gjm/core/workload/define.js';
import { kinds } from '@gjm/core/workload/kinds.js';
import type { Workload } from './define.js';
import { audioTranscribeWorkload } from './audio-transcribe.js';
import { deviceBenchmarkWorkload } from './device-benchmark.js';
import { diagnosticWorkload } from './diagnostic.js';
import { imageModerateWorkload } from './image-moderate.js';
import { imageUpscaleWorkload } from './image-upscale.js';
import { modelPredictWorkload } from './model-predict.js';
import { modelTrainWorkload } from './model-train.js';
import { processRunWorkload } from './process-run.js';

const implementations: readonly Workload[] = [
  imageUpscaleWorkload,
  imageModerateWorkload,
  audioTranscribeWorkload,
  modelTrainWorkload,
  modelPredictWorkload,
  processRunWorkload,
  deviceBenchmarkWorkload,
  diagnosticWorkload,
];

/**
 * The implementation of each kind, by name.
 * @throws Error unless every declared kind has exactly one implementation and every implementation is of a declared kind
 */
export function buildRegistry(
  declared: readonly Kind[] = kinds,
  implemented: readonly Workload[] = implementations,
): ReadonlyMap<string, Workload> {
  for (const kind of declared) {
    const count = implemented.filter((workload) => workload.kind === kind).length;
    if (count !== 1) throw new Error(`The kind ${kind.name} has ${count} implementations instead of one.`);
  }
  const stray = implemented.find((workload) => !declared.includes(workload.kind));
  if (stray) throw new Error(`There is an implementation of ${stray.kind.name}, which is not declared.`);
  return new Map(implemented.map((workload) => [workload.kind.name, workload]));
}
