import type { FailureCode } from '@gjm/core/job/failure.js';

/** Something outside the runner made the attempt fail: an input that is not what was promised, an output that is none, a full disk. */
export class AttemptFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'AttemptFailure';
  }
}

/** A system error of our own disk as a failure; others pass through unchanged. */
export function diskFailure(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AttemptFailure('DISK_FULL', "The worker's disk is full.", { cause: error });
  return error;
}
