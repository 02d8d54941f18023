import type { FailureCode } from '@gjm/core/job/failure.js';
import type { JobTransition } from '@gjm/core/job/transition.js';
import type { AttemptOutcome } from '@gjm/core/job/status.js';

/** Attempts that this server saw end, since it started. */
export interface EndedAttempts {
  outcomes: Partial<Record<AttemptOutcome, number>>;
  /** Of those with a failure, by its code. */
  causes: Partial<Record<FailureCode, number>>;
}

/** Counts a committed change, if it ended an attempt. */
export function countEnd(ended: EndedAttempts, { attempt }: JobTransition): void {
  if (!attempt?.end) return;
  const { outcome, failure } = attempt.end;
  ended.outcomes[outcome] = (ended.outcomes[outcome] ?? 0) + 1;
  if (failure) ended.causes[failure.code] = (ended.causes[failure.code] ?? 0) + 1;
}
