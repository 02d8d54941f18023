import type { JobRow } from '@gjm/client/index.js';
import { visibleLine } from '../text/visible-text.js';
import { ageOf, estimateOf, spanOf } from '../text/times.js';

const ordinal = (n: number): string => {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 0 : n % 10;
  return `${n}${['th', 'st', 'nd', 'rd'][tail] ?? 'th'}`;
};

const percentOf = (fraction: number): string => `${Math.floor(Math.min(1, Math.max(0, fraction)) * 100)} %`;

function queued({ waiting }: JobRow): string {
  const [first, ...more] = waiting?.reasons ?? [];
  if (!waiting || !first) return 'Waits to be placed';
  const place =
    waiting.position !== null && waiting.position > 1 ? `${ordinal(waiting.position)} in line: ` : '';
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  const eta = waiting.etaSeconds === null ? '' : ` (${estimateOf(waiting.etaSeconds)})`;
  return `${place}${first.message}${others}${eta}`;
}

/** What a running job does, without how far it is. */
function doing(job: JobRow, now: number): string {
  if (job.cancelRequestedAt !== null)
    return `Cancel asked ${ageOf(now - Date.parse(job.cancelRequestedAt))} ago`;
  if (!job.progress) return 'Starting';
  const { step, total, message } = job.progress;
  const steps = step === null ? '' : total === null ? `step ${step}` : `${step} of ${total}`;
  return message ?? (steps || 'Running');
}

function running(job: JobRow, now: number): string {
  const text = doing(job, now);
  if (job.cancelRequestedAt !== null || !job.progress) return text;
  const { fraction, etaSeconds } = job.progress;
  const eta = etaSeconds === null ? '' : `${estimateOf(etaSeconds)} left`;
  return [fraction === null ? '' : percentOf(fraction), text, eta].filter(Boolean).join(', ');
}

function succeeded({ startedAt, finishedAt, engine }: JobRow): string {
  if (!startedAt || !finishedAt) return 'Done';
  const where = engine ? ` on ${engine}` : '';
  return `Done in ${spanOf(Date.parse(finishedAt) - Date.parse(startedAt))}${where}`;
}

function sentenceOf(job: JobRow, now: number): string {
  switch (job.status) {
    case 'QUEUED':
      return queued(job);
    case 'RUNNING':
      return running(job, now);
    case 'FAILED':
      return [job.failure?.code, job.failure?.message ?? job.statusReason].filter(Boolean).join(': ');
    case 'CANCELLED':
      return job.statusReason ?? (job.startedAt === null ? 'Before it started' : 'While it ran');
    case 'SUCCEEDED':
      return succeeded(job);
    default:
      return job.statusReason ?? '';
  }
}

/** The one thing worth knowing about a job at `now` (ms), on one line without controls. */
export const nowSentence = (job: JobRow, now: number): string => visibleLine(sentenceOf(job, now));

/** The same for whoever draws progress apart. */
export const doingSentence = (job: JobRow, now: number): string =>
  visibleLine(job.status === 'RUNNING' ? doing(job, now) : sentenceOf(job, now));

/** From the start, or while it waits from the submit, to the end or `now`; in ms. */
export function elapsedMs(job: Pick<JobRow, 'createdAt' | 'startedAt' | 'finishedAt'>, now: number): number {
  const end = job.finishedAt ? Date.parse(job.finishedAt) : now;
  return Math.max(0, end - Date.parse(job.startedAt ?? job.createdAt));
}
