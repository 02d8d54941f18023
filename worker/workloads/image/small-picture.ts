import { sniffedAsImage } from './inspect.js';
import { imageCodec } from './codec.js';

/** Most pixels a picture may have before it is made small. */
const inputPixels = 64_000_000;

/** A picture's samples, 8 bits each, as a model takes them, turned as EXIF says: cut to the shape from the middle, or squeezed into it. */
export interface SmallShape {
  width: number;
  height: number;
  channels: 1 | 3;
}

/** @throws Error when the bytes are no PNG, JPEG, WebP or GIF image, or one that is damaged or too large */
export async function smallPicture(
  bytes: Uint8Array,
  { width, height, channels }: SmallShape,
  fit: 'cover' | 'fill' = 'cover',
): Promise<Uint8Array> {
  if (!sniffedAsImage(bytes)) throw new Error('it is not a PNG, JPEG, WebP or GIF image');
  const sharp = await imageCodec();
  const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: inputPixels })
    .autoOrient()
    .flatten({ background: '#000' })
    .resize(width, height, { fit })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels === channels) return data;
  throw new Error(`it has ${info.channels} channels instead of ${channels}`);
}
