import { z } from 'zod';

/** What travels through a slot's queue: a hint that a claim decides. Nothing secret and no time. A probe asks only whether somebody pops. */
export const queueMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attempt'),
    attemptId: z.string(),
    jobId: z.string(),
    traceId: z.string().nullable(),
  }),
  z.object({ type: z.literal('probe'), probeId: z.string() }),
]);
export type QueueMessage = z.infer<typeof queueMessageSchema>;
