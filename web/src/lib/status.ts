import type { JobRow } from '@gjm/client/index.js';
import { isBlocked } from '@gjm/core/text/now-sentence.js';

type Tone = 'idle' | 'run' | 'ok' | 'bad' | 'wait';

/** What the mark beside the word shows; it alone must be told apart from the others, in grey too. */
type Shape =
  'queued' | 'blocked' | 'running' | 'cancelling' | 'succeeded' | 'failed' | 'cancelled' | 'unknown';

export interface StatusLook {
  word: string;
  shape: Shape;
  tone: Tone;
}

type Standing = Pick<JobRow, 'status' | 'cancelRequestedAt' | 'waiting'>;

const looks: Record<string, StatusLook> = {
  QUEUED: { word: 'Queued', shape: 'queued', tone: 'idle' },
  RUNNING: { word: 'Running', shape: 'running', tone: 'run' },
  SUCCEEDED: { word: 'Succeeded', shape: 'succeeded', tone: 'ok' },
  FAILED: { word: 'Failed', shape: 'failed', tone: 'bad' },
  CANCELLED: { word: 'Cancelled', shape: 'cancelled', tone: 'idle' },
};

/** The word is the API's; shape and tone also tell what is not a status: that it is blocked, or that a cancel was asked. */
export function lookOf(job: Standing): StatusLook {
  const look = looks[job.status] ?? { word: job.status, shape: 'unknown', tone: 'idle' };
  if (job.status === 'RUNNING' && job.cancelRequestedAt !== null) return { ...look, shape: 'cancelling' };
  if (isBlocked(job)) return { ...look, shape: 'blocked', tone: 'wait' };
  return look;
}

export const isOver = (job: Pick<JobRow, 'status'>): boolean =>
  job.status === 'SUCCEEDED' || job.status === 'FAILED' || job.status === 'CANCELLED';
