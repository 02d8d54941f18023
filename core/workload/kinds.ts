import type { Kind } from './define.js';
import { diagnostic } from './diagnostic.js';
import { imageUpscale } from './image-upscale.js';
import { modelPredict } from './model-predict.js';
import { modelTrain } from './model-train.js';

/** Every kind there is. A worker refuses to start unless each has exactly one implementation. */
export const kinds: readonly Kind[] = [imageUpscale, modelTrain, modelPredict, diagnostic];

export const kindByName = (name: string): Kind | undefined => kinds.find((kind) => kind.name === name);
