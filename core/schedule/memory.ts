import type { QueuedJob } from './snapshot.js';

/** Device memory one attempt takes with this engine, in bytes: what was seen, else what the plan says. */
export const memoryNeeded = (job: QueuedJob, engine: string | undefined): number =>
  (engine === undefined ? undefined : job.seenBytes[engine]) ?? job.memoryBytes;
