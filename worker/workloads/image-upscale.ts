import { join } from 'node:path';
import { imageUpscale, upscaleTiers, type UpscaleTier } from '@gjm/core/workload/image-upscale.js';
import { defineWorkload } from './define.js';
import { decodeImage } from './image/decode.js';
import { enlargePlane, writePng } from './image/encode.js';
import { enlargeColours } from './image/enlarge.js';
import type { Scale } from './image/esrgan.js';
import { inspectImage } from './image/inspect.js';
import { planeOf, setPlane } from './image/picture.js';

const outputName = 'output.png';

/** Enlarges an image with ESRGAN, colours by the model, alpha with a cubic kernel. */
export const imageUpscaleWorkload = defineWorkload(imageUpscale, async (context) => {
  const { scale } = context.params;
  const path = context.inputs['image'];
  if (path === undefined) throw new Error('The input "image" is missing.');

  const facts = await inspectImage(path, scale);
  const size = `${facts.width}×${facts.height} → ${facts.width * scale}×${facts.height * scale}`;
  const tier = upscaleTiers.find((name) => name === context.tier) ?? 'slim';
  await context.print(`${facts.format} ${size}, model esrgan-${tier} ${scale}x on ${context.engine.name}`);
  const [upscaler, picture] = await Promise.all([load(tier, scale), decodeImage(path)]);
  context.stopIfAsked();

  const startMs = performance.now();
  const enlarged = await enlargeColours({
    upscaler,
    picture,
    engine: context.engine,
    async afterTile(done, total) {
      const leftMs = ((performance.now() - startMs) / done) * (total - done);
      const message = `tile ${done} of ${total}`;
      context.progress({ step: done, total, message, etaSeconds: Math.ceil(leftMs / 1_000) });
      await context.yieldNow();
      context.stopIfAsked();
    },
  });
  if (picture.channels === 4) {
    setPlane(enlarged, 3, await enlargePlane(planeOf(picture, 3), picture.width, picture.height, scale));
  }
  context.stopIfAsked();
  await writePng(join(context.outputDir, outputName), enlarged);
  return [{ name: outputName, path: outputName, mediaType: 'image/png' }];
});

/** The layers package is a third of what a runner would load; only the first attempt that needs it waits for it. */
async function load(tier: UpscaleTier, scale: Scale) {
  const { loadUpscaler } = await import('./image/esrgan.js');
  return loadUpscaler(tier, scale);
}
