import type { Kind } from './define.js';
import { audioTranscribe } from './audio-transcribe.js';
import { deviceBenchmark } from './device-benchmark.js';
import { diagnostic } from './diagnostic.js';
import { imageModerate } from './image-moderate.js';
import { imageUpscale } from './image-upscale.js';
import { modelPredict } from './model-predict.js';
import { modelTrain } from './model-train.js';
import { processRun } from './process-run.js';

/** Every kind there is. A worker refuses to start unless each has exactly one implementation. */
export const kinds: readonly Kind[] = [
  imageUpscale,
  imageModerate,
  audioTranscribe,
  modelTrain,
  modelPredict,
  processRun,
  deviceBenchmark,
  diagnostic,
];

export const kindByName = (name: string): Kind | undefined => kinds.find((kind) => kind.name === name);
