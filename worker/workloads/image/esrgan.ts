import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { UpscaleTier } from '@gjm/core/workload/image-upscale.js';
import { optionalFolder } from '../optional-folder.js';
import { loadModelFolder } from '../model-folder.js';
import { warmModel } from '../warm-models.js';
import { registerThickLayers } from './thick-layers.js';

/** Factors for which there is a model of its own. */
export type Scale = 2 | 3 | 4 | 8;

/** A model and what one must know to use it. */
export interface Upscaler {
  /** Takes and gives float32 [1, height, width, 3], not yet clipped or rounded. It is kept warm between attempts; do not dispose of it. */
  model: LayersModel;
  tier: UpscaleTier;
  scale: Scale;
}

/**
 * The ESRGAN model of a tier that enlarges by `scale`: slim has 222,000 weights, medium 693,000, thick 7,200,000.
 * @throws WorkloadFailure NO_ENGINE when the tier's package is not set up here
 */
export async function loadUpscaler(tier: UpscaleTier, scale: Scale): Promise<Upscaler> {
  const model = await warmModel(`esrgan-${tier}-x${scale}`, () => {
    if (tier === 'thick') registerThickLayers();
    return loadModelFolder(join(packageFolder(tier), 'models', `x${scale}`));
  });
  return { model, tier, scale };
}

function packageFolder(tier: UpscaleTier): string {
  const name = `@upscalerjs/esrgan-${tier}`;
  if (tier === 'thick') return optionalFolder('models', name, 'the tier thick of image.upscale');
  // The package exports only its scripts, which lie in `<folder>/dist/…`; the weights lie in `<folder>/models`.
  const script = createRequire(import.meta.url).resolve(name);
  return script.slice(0, script.indexOf(`${sep}dist${sep}`, script.lastIndexOf('@upscalerjs')));
}
