import { upscaleLimits } from '@gjm/core/workload/image-upscale.js';
import { WorkloadFailure } from '../define.js';
import { imageCodec } from './codec.js';
import type { Picture } from './picture.js';

/**
 * Decodes a file that `inspectImage` let pass: first frame, turned as its EXIF orientation says, in sRGB (embedded profiles, CMYK and grey
 * are converted), 8 bits a sample.
 * @throws WorkloadFailure INVALID_INPUT for an image that is cut off or damaged
 */
export async function decodeImage(path: string): Promise<Picture> {
  const sharp = await imageCodec();
  const { data, info } = await sharp(path, { failOn: 'error', limitInputPixels: upscaleLimits.inputPixels })
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new WorkloadFailure('INVALID_INPUT', 'The image is cut off or damaged: it can not be decoded.', {
        cause,
      });
    });
  const { width, height, channels } = info;
  if (channels !== 3 && channels !== 4) {
    throw new WorkloadFailure(
      'INVALID_INPUT',
      `The image has ${channels} channels after conversion to sRGB.`,
    );
  }
  return { width, height, channels, samples: data };
}
