import { z } from 'zod';
import { cleanText } from '../text/clean.js';

/** Which devices a job accepts; all that is named must hold. */
export const deviceSelectorSchema = z.strictObject({
  labels: z.record(z.string().max(64), z.string().max(256)).optional(),
  name: z.string().max(256).optional(),
  kind: z.enum(['gpu', 'cpu']).optional(),
  worker: z.string().max(256).optional(),
  minMemoryBytes: z.number().int().nonnegative().optional(),
});
export type DeviceSelector = z.infer<typeof deviceSelectorSchema>;

/** User labels: at most 32 keys of at most 64 characters; values are strings of at most 256. */
export const labelsSchema = z
  .record(z.string().min(1).max(64), z.string().max(256))
  .refine((labels) => Object.keys(labels).length <= 32, 'must have at most 32 labels');

const id = z.string().max(128);

/** The rules of a submit that do not depend on its kind. `null` means the default everywhere. */
export const jobSpecSchema = z.object({
  kind: z.string().max(128),
  params: z.record(z.string(), z.unknown()),
  name: z
    .string()
    .max(200)
    .transform((name) => cleanText(name, 200))
    .nullish(),
  labels: labelsSchema.nullish().transform((labels) => labels ?? {}),
  priority: z
    .number()
    .int()
    .min(0)
    .max(100)
    .nullish()
    .transform((priority) => priority ?? 50),
  tier: z.string().max(64).nullish(),
  clientRequestId: z.string().min(1).max(200).nullish(),
  maxAttempts: z
    .number()
    .int()
    .min(1)
    .max(20)
    .nullish()
    .transform((count) => count ?? 3),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(30 * 86_400)
    .nullish(),
  devices: z
    .number()
    .int()
    .min(1)
    .max(64)
    .nullish()
    .transform((count) => count ?? 1),
  deviceSelector: deviceSelectorSchema.nullish().transform((selector) => selector ?? {}),
  dependsOn: z
    .array(id)
    .max(100)
    .nullish()
    .transform((ids) => ids ?? []),
});
export type JobSpec = z.output<typeof jobSpecSchema>;

/** Limit of one attempt when the submit names none: a day, in seconds. */
export const defaultTimeoutSeconds = 86_400;
