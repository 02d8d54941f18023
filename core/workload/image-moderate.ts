import { z } from 'zod';
import { defineKind, fileListParam } from './define.js';

const mebibyte = 1024 * 1024;

/** Limits that hold before a pixel is decoded. */
export const moderateLimits = { images: 64, fileBytes: 64 * mebibyte };

/** What a picture is looked at for, in the order of the models' outputs. */
export const moderationClasses = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;

/** The models, small to large. */
export const moderateTiers = ['mobilenet-v2', 'mobilenet-v2-mid', 'inception-v3'] as const;
export type ModerateTier = (typeof moderateTiers)[number];

export const imageModerate = defineKind({
  name: 'image.moderate',
  title: 'Moderate images',
  description:
    'Says of each picture how probably it is a drawing, a drawing not safe for work, neutral, pornographic or sexy, with an NSFWJS model. Makes moderation.json and moderation.csv. Needs the optional models on the worker (npm run setup:models).',
  params: z.strictObject({
    images: fileListParam(
      ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
      moderateLimits.images,
      `The pictures to look at, 1 to ${moderateLimits.images}.`,
    ),
  }),
  outputs: ['moderation.json', 'moderation.csv'],
  tiers: [
    { name: 'mobilenet-v2', memoryBytes: 256 * mebibyte },
    { name: 'mobilenet-v2-mid', memoryBytes: 384 * mebibyte },
    { name: 'inception-v3', memoryBytes: 768 * mebibyte },
  ],
  needsPackage: 'models',
});
export type ImageModerateParams = z.output<typeof imageModerate.params>;
