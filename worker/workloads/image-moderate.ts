import { readFile, stat } from 'node:fs/promises';
import { imageModerate, moderateLimits, moderateTiers } from '@gjm/core/workload/image-moderate.js';
import { defineWorkload, invalidInput } from './define.js';
import { whyNot } from './image/archived-picture.js';
import { smallPicture } from './image/small-picture.js';
import { type Judged, writeModeration } from './moderate/moderation-files.js';

/** Looks at picture after picture with one model. */
export const imageModerateWorkload = defineWorkload(imageModerate, async (context) => {
  const { images } = context.params;
  const tier = moderateTiers.find((name) => name === context.tier) ?? moderateTiers[0];
  await context.print(`${images.length} pictures, model nsfwjs ${tier} on ${context.engine.name}`);
  // What reads models is loaded by the first attempt that needs it.
  const { loadModerator } = await import('./moderate/moderator.js');
  context.engine.assertRoom(imageModerate.tiers.find(({ name }) => name === tier)?.memoryBytes ?? 0);
  const moderator = await loadModerator(tier);
  const judged: Judged[] = [];
  const startMs = performance.now();
  for (const [index, file] of images.entries()) {
    context.stopIfAsked();
    const samples = await readPicture(context.inputs[`images.${index}`], index, moderator.side);
    judged.push({ file, probabilities: await moderator.judge(samples) });
    const [step, total] = [judged.length, images.length];
    const leftMs = ((performance.now() - startMs) / step) * (total - step);
    const message = `picture ${step} of ${total}`;
    context.progress({ step, total, message, etaSeconds: Math.ceil(leftMs / 1_000) });
    await context.yieldNow();
  }
  context.stopIfAsked();
  return writeModeration(context.outputDir, `nsfwjs ${tier}`, judged);
});

/** The whole picture, edges included, squeezed into the square the model takes: what is cut off is not judged. */
async function readPicture(path: string | undefined, index: number, side: number): Promise<Uint8Array> {
  if (path === undefined) throw new Error(`The input "images.${index}" is missing.`);
  const { size } = await stat(path);
  if (size > moderateLimits.fileBytes)
    throw invalidInput(
      `Picture ${index + 1} has ${size} bytes, at most ${moderateLimits.fileBytes} are read.`,
    );
  const shape = { width: side, height: side, channels: 3 as const };
  return smallPicture(await readFile(path), shape, 'fill').catch((error: unknown) => {
    throw invalidInput(`Picture ${index + 1} can not be used: ${whyNot(error)}.`, error);
  });
}
