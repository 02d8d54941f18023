import type { JobProgress, NewEvent } from '../wire/events.js';
import type { Usage } from '../wire/worker-api.js';
import { backoffMs, failureRules, type JobFailure } from './failure.js';
import { isTerminal, type AttemptOutcome, type AttemptState, type JobStatus } from './status.js';

/** What a decision about a job reads; all of it is guarded again by the statement that applies the decision. */
export interface JobFacts {
  id: string;
  ownerId: string;
  status: JobStatus;
  cancelRequested: boolean;
  /** Attempts that ended by a retryable cause so far; at `maxAttempts` the job fails. */
  countedFailures: number;
  maxAttempts: number;
  /** The attempt that lives, if one does. */
  attempt: { id: string; number: number; state: AttemptState; engine: string; tier: string | null } | null;
}

/** Which deadline, by the database clock, must have passed for an expiry to be true. */
export type Deadline = 'lease' | 'dispatch' | 'cancel' | 'run';

/** What an attempt took of its devices and how its processes were kept together, as its worker tells at the end. */
export interface Taken {
  usage: Usage | null;
  containment: string | null;
}

/** What becomes of the slots an attempt holds. `hold`: closed until the worker has swept. `silence`: closed until a probe comes back. */
export type SlotFate = 'keep' | 'free' | 'hold' | 'silence';

/**
 * One change of one job, decided by pure code and applied by one statement, which numbers its events. If the job or its attempt is no
 * longer as expected, nothing at all changes.
 */
export interface JobTransition {
  jobId: string;
  ownerId: string;
  expect: { status: JobStatus; attemptId: string | null; cancelRequested: boolean };
  attempt?: {
    expectState: AttemptState;
    /** SHA-256 of the token that the caller showed, hex; absent when the server itself decides. */
    tokenHash?: string;
    passed?: Deadline;
    claim?: { tokenHash: string; leaseMs: number; runMs: number };
    end?: { outcome: AttemptOutcome; failure: JobFailure | null; taken?: Taken };
    /** Time the worker has to end the attempt after a cancel request, in ms. */
    cancelWithinMs?: number;
    /** The worker's report numbers that these events stand for; refused when others were stored in between. */
    report?: { after: number; last: number };
  };
  to: JobStatus;
  reason: string | null;
  failure: JobFailure | null;
  requestCancel?: boolean;
  countFailure?: boolean;
  progress?: JobProgress;
  /** What this adds to the job's stored log, in bytes of UTF-8, and whether its limit was reached. */
  log?: { addedBytes: number; cut: boolean };
  /** Artifacts that become the job's result. */
  acceptArtifacts?: string[];
  /** Not before this many ms from now. */
  backoffMs?: number;
  slots: SlotFate;
  events: NewEvent[];
}

const expectOf = (job: JobFacts): JobTransition['expect'] => ({
  status: job.status,
  attemptId: job.attempt?.id ?? null,
  cancelRequested: job.cancelRequested,
});

const statusEvent = (
  status: JobStatus,
  reason: string | null,
  failure: JobFailure | null,
  attempt: number | null,
): NewEvent => ({ type: 'status', attempt, data: { status, reason, failure } });

/** A worker claims a dispatched attempt: QUEUED → RUNNING under a lease. `leaseMs` and `runMs` are durations. */
export function claimTransition(
  job: JobFacts,
  claim: { tokenHash: string; leaseMs: number; runMs: number },
): JobTransition | null {
  if (job.status !== 'QUEUED' || job.attempt?.state !== 'DISPATCHED') return null;
  return {
    jobId: job.id,
    ownerId: job.ownerId,
    expect: expectOf(job),
    attempt: { expectState: 'DISPATCHED', claim },
    to: 'RUNNING',
    reason: null,
    failure: null,
    slots: 'keep',
    events: [statusEvent('RUNNING', null, null, job.attempt.number)],
  };
}

/**
 * A cancel is asked for. QUEUED (unclaimed dispatch included): ends at once. RUNNING: the request is recorded and the worker has
 * `cancelWithinMs`. `already` when it was asked before, `terminal` when the job has ended.
 */
export function cancelTransition(
  job: JobFacts,
  by: { id: string; name: string },
  reason: string | null,
  cancelWithinMs: number,
): JobTransition | 'terminal' | 'already' {
  if (isTerminal(job.status)) return 'terminal';
  if (job.cancelRequested) return 'already';
  const attempt = job.attempt?.number ?? null;
  const requested: NewEvent = { type: 'cancel-requested', attempt, data: { by, reason } };
  const base = {
    jobId: job.id,
    ownerId: job.ownerId,
    expect: expectOf(job),
    failure: null,
    requestCancel: true,
  };
  if (job.status === 'RUNNING')
    return {
      ...base,
      attempt: { expectState: 'RUNNING', cancelWithinMs },
      to: 'RUNNING',
      reason: null,
      slots: 'keep',
      events: [requested],
    };
  return {
    ...base,
    attempt: job.attempt ? { expectState: 'DISPATCHED', end: { outcome: 'VOID', failure: null } } : undefined,
    to: 'CANCELLED',
    reason,
    slots: 'free',
    events: [requested, statusEvent('CANCELLED', reason, null, attempt)],
  };
}

/** How an attempt ended, as its worker reports it or as the server concludes. */
export interface AttemptEnding {
  outcome: AttemptOutcome;
  failure: JobFailure | null;
  reason: string | null;
  slots: SlotFate;
  taken?: Taken;
  tokenHash?: string;
  passed?: Deadline;
}

/**
 * What an attempt's end means for its job. First commit wins: a success stays a success even after a cancel request; every other end
 * after one is CANCELLED and is not retried. `unit` in [0, 1) jitters the back-off. Null when no attempt lives.
 */
export function endTransition(
  job: JobFacts,
  ending: AttemptEnding,
  before: NewEvent[],
  unit: number,
): JobTransition | null {
  const { attempt } = job;
  if (!attempt || isTerminal(job.status)) return null;
  const next = consequenceOf(job, ending, unit);
  const outcome = next.to === 'CANCELLED' && ending.outcome === 'FAILED' ? 'CANCELLED' : ending.outcome;
  return {
    jobId: job.id,
    ownerId: job.ownerId,
    expect: expectOf(job),
    attempt: {
      expectState: attempt.state,
      tokenHash: ending.tokenHash,
      passed: ending.passed,
      end: { outcome, failure: ending.failure, taken: ending.taken },
    },
    ...next,
    slots: ending.slots,
    events: [
      ...before,
      ...(next.to === job.status ? [] : [statusEvent(next.to, next.reason, ending.failure, attempt.number)]),
    ],
  };
}

type Consequence = Pick<JobTransition, 'to' | 'reason' | 'failure' | 'countFailure' | 'backoffMs'>;

function consequenceOf(job: JobFacts, ending: AttemptEnding, unit: number): Consequence {
  const { outcome, failure, reason } = ending;
  if (outcome === 'SUCCEEDED') return { to: 'SUCCEEDED', reason, failure: null };
  if (job.cancelRequested || outcome === 'CANCELLED') return { to: 'CANCELLED', reason, failure: null };
  if (outcome === 'RELEASED' || outcome === 'VOID') return { to: 'QUEUED', reason, failure: null };
  if (!failure) throw new Error(`An attempt that ended ${outcome} needs a failure.`);
  const countedFailures = job.countedFailures + 1;
  if (!failure.retryable || countedFailures >= job.maxAttempts)
    return { to: 'FAILED', reason: failure.message, failure, countFailure: true };
  return {
    to: 'QUEUED',
    reason: failure.message,
    failure: null,
    countFailure: true,
    backoffMs: failureRules[failure.code].keepsPlace ? 0 : backoffMs(job.countedFailures, unit),
  };
}
