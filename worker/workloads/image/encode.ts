import { rename } from 'node:fs/promises';
import { imageCodec } from './codec.js';
import type { Picture } from './picture.js';

/** Writes an 8 bit PNG under a temporary name and renames it, so that `path` is whole or absent. */
export async function writePng(path: string, picture: Picture): Promise<void> {
  const sharp = await imageCodec();
  const { width, height, channels, samples } = picture;
  const unfinished = `${path}.part`;
  await sharp(samples, { raw: { width, height, channels }, limitInputPixels: false })
    .png()
    .toFile(unfinished);
  await rename(unfinished, path);
}

/** Enlarges one 8 bit plane with a cubic kernel: what the model, which knows colours only, can not do for an alpha channel. */
export async function enlargePlane(
  plane: Uint8Array,
  width: number,
  height: number,
  scale: number,
): Promise<Uint8Array> {
  const sharp = await imageCodec();
  return sharp(plane, { raw: { width, height, channels: 1 } })
    .resize(width * scale, height * scale, { kernel: 'cubic', fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}
