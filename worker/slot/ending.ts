import { cleanText } from '@gjm/core/text/clean.js';
import type { FinishRequest } from '@gjm/core/wire/worker-api.js';
import { classifyExit } from '../child/classify-exit.js';
import type { AttemptFailure } from './attempt-failure.js';
import type { StopReason, WorkEnd } from './child-work.js';

/** How an attempt ends, as its finish will say; `outputs` become artifacts first. */
export type Ending = Pick<FinishRequest, 'outcome' | 'engine' | 'failure' | 'reason'>;

const secondsOf = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/**
 * What the end of the work means for the attempt. Null for a lost one: nobody wants to hear of it. A success that came before a cancel or
 * release took hold stays one; after its time was up nothing counts as success.
 */
export function endingOf(end: WorkEnd, runMs: number, lastLine: string | null): Ending | null {
  const { verdict, stop } = end;
  if (stop === 'lost') return null;
  if (stop === 'timeout') return stopped(stop, endedHow(end), runMs);
  if (verdict.type === 'done' && !end.isForced)
    return { outcome: 'SUCCEEDED', engine: verdict.engine, failure: null, reason: null };
  if (stop !== null) return stopped(stop, endedHow(end), runMs);
  if (verdict.type === 'failed') return failed(verdict.code, verdict.message);
  if (verdict.type === 'exited') {
    const { code, message } = classifyExit(verdict.exit, lastLine);
    return failed(code, message);
  }
  return failed('RUNNER_CRASHED', 'The runner stopped without being asked to.');
}

/** The ending of an attempt that was stopped before its work began, or in it. */
export function stopped(reason: StopReason, how: string, runMs: number): Ending {
  if (reason === 'timeout')
    return failed(
      'TIMEOUT',
      `The attempt took longer than its limit of ${secondsOf(runMs)}; the job ${how}.`,
    );
  if (reason === 'release') return released('The worker was stopped.');
  return { outcome: 'CANCELLED', engine: null, failure: null, reason: `Cancelled; the job ${how}.` };
}

/** The ending of an attempt that is given back for another place: it does not count against its job. */
export const released = (reason: string): Ending => ({
  ...{ outcome: 'RELEASED', engine: null, failure: null, reason },
});

/**
 * The ending of an attempt whose device was lost: the loss, whatever else was said of it, unless it was through before or somebody had
 * asked for the end.
 */
export function endedByLoss(ending: Ending, loss: string | null, stop: StopReason | null): Ending {
  const code = ending.failure?.code;
  const mayStand = code !== undefined && code !== 'RUNNER_CRASHED' && code !== 'WORKLOAD_ERROR';
  if (loss === null || stop !== null || ending.outcome === 'SUCCEEDED' || mayStand) return ending;
  return failed('DEVICE_LOST', loss);
}

/** A failure found by the worker itself. */
export const failedBy = (failure: AttemptFailure): Ending => failed(failure.code, failure.message);

function failed(code: NonNullable<FinishRequest['failure']>['code'], message: string): Ending {
  const text = cleanText(message, 4_000);
  return {
    outcome: 'FAILED',
    engine: null,
    failure: { code, message: text },
    reason: cleanText(message, 500),
  };
}

function endedHow({ isForced, isGroupGone }: WorkEnd): string {
  if (!isForced) return 'stopped when asked (cooperative)';
  return isGroupGone ? 'was ended by force' : 'could not be ended: some of its processes still live';
}
