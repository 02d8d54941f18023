import type { SharpConstructor } from 'sharp';

/**
 * The image library, loaded when the first image comes: a runner is ready earlier without it. Its cache is off, because it knows files by
 * their paths and a later attempt may reuse a path.
 */
export async function imageCodec(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}
