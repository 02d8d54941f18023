import { z } from 'zod';
import { defineKind, fileParam } from './define.js';

/** Limits that hold before a pixel is decoded. */
export const upscaleLimits = { inputPixels: 16_000_000, outputPixels: 64_000_000, side: 16_384 };

/** The models, small to large. */
export const upscaleTiers = ['slim', 'medium', 'thick'] as const;
export type UpscaleTier = (typeof upscaleTiers)[number];

const mebibyte = 1024 * 1024;

export const imageUpscale = defineKind({
  name: 'image.upscale',
  title: 'Upscale an image',
  description:
    'Enlarges a PNG, JPEG, WebP or GIF (first frame) with an ESRGAN model. Makes output.png, 8 bit.',
  params: z.strictObject({
    image: fileParam(['image/png', 'image/jpeg', 'image/webp', 'image/gif'], 'The image to enlarge.'),
    scale: z
      .union([z.literal(2), z.literal(3), z.literal(4), z.literal(8)])
      .default(2)
      .describe('How many times wider and higher.'),
  }),
  outputs: ['output.png'],
  tiers: [
    { name: 'slim', memoryBytes: 512 * mebibyte },
    { name: 'medium', memoryBytes: 768 * mebibyte },
    { name: 'thick', memoryBytes: 1_024 * mebibyte, needsPackage: 'models' },
  ],
});
