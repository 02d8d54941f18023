import type { JobRow } from '@gjm/client/index.js';
import { isBlocked } from '@gjm/core/text/now-sentence.js';
import { exitCodes, type ExitCode } from '../exit.js';
import type { Paint } from '../output.js';

export type Standing = Pick<JobRow, 'status' | 'cancelRequestedAt' | 'waiting'>;

/** The mark alone tells the states apart, where there are no colours too. */
const marks: Record<string, string> = {
  QUEUED: '○',
  RUNNING: '●',
  SUCCEEDED: '✓',
  FAILED: '✗',
  CANCELLED: '⊘',
};

export function markOf(job: Standing): string {
  if (job.status === 'RUNNING' && job.cancelRequestedAt !== null) return '◍';
  return isBlocked(job) ? '◔' : (marks[job.status] ?? '?');
}

/** Colours a text as the state asks for. */
export function paintStatus(paint: Paint, job: Standing, text: string): string {
  if (job.status === 'RUNNING') return paint.blue(text);
  if (job.status === 'SUCCEEDED') return paint.green(text);
  if (job.status === 'FAILED') return paint.red(text);
  return isBlocked(job) ? paint.yellow(text) : text;
}

export const isOver = ({ status }: Pick<JobRow, 'status'>): boolean =>
  status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELLED';

/** How a command that waited for the job's end ends itself. */
export const exitOfJob = ({ status }: Pick<JobRow, 'status'>): ExitCode =>
  status === 'SUCCEEDED' ? exitCodes.ok : isOver({ status }) ? exitCodes.jobFailed : exitCodes.stillRunning;
