import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import { loadModelFolder } from '../model-folder.js';
import { warmModel } from '../warm-models.js';

/** Factors for which there is a model of its own. */
export type Scale = 2 | 3 | 4 | 8;

/**
 * The ESRGAN "slim" model (222,000 weights, 0.9 MB) that enlarges by `scale`: takes and gives float32 [1, height, width, 3] in 0..255, not
 * yet clipped or rounded. It is kept warm between attempts; do not dispose of it.
 */
export function slimModel(scale: Scale): Promise<LayersModel> {
  return warmModel(`esrgan-slim-x${scale}`, () =>
    loadModelFolder(join(packageFolder(), 'models', `x${scale}`)),
  );
}

/** The package exports only its scripts, which lie in `<folder>/dist/…`; the weights lie in `<folder>/models`. */
function packageFolder(): string {
  const script = createRequire(import.meta.url).resolve('@upscalerjs/esrgan-slim');
  return script.slice(0, script.indexOf(`${sep}dist${sep}`, script.lastIndexOf('@upscalerjs')));
}
