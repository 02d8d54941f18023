import type { JobRow } from '@gjm/client/index.js';
import { isBlocked } from './status.js';
import { ageOf, estimateOf, spanOf } from './times.js';

/** The one thing worth knowing about a job now. `end` stands apart, at the end of the line. */
export interface NowSentence {
  /** 0 to 1 draws a bar; null for none. */
  fraction: number | null;
  /** A failure code, set apart from the words. */
  code: string | null;
  text: string;
  end: string | null;
  isWaiting: boolean;
}

const sentence = (text: string, rest: Partial<NowSentence> = {}): NowSentence => ({
  fraction: null,
  code: null,
  text,
  end: null,
  isWaiting: false,
  ...rest,
});

const ordinal = (n: number): string => {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 0 : n % 10;
  return `${n}${['th', 'st', 'nd', 'rd'][tail] ?? 'th'}`;
};

function queued(job: JobRow): NowSentence {
  const { waiting } = job;
  const [first, ...more] = waiting?.reasons ?? [];
  if (!waiting || !first) return sentence('Waits to be placed');
  const place =
    waiting.position !== null && waiting.position > 1 ? `${ordinal(waiting.position)} in line: ` : '';
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  const end = waiting.etaSeconds === null ? null : estimateOf(waiting.etaSeconds);
  return sentence(`${place}${first.message}${others}`, { end, isWaiting: isBlocked(job) });
}

function running(job: JobRow, now: number): NowSentence {
  if (job.cancelRequestedAt !== null)
    return sentence(`Cancel asked ${ageOf(now - Date.parse(job.cancelRequestedAt))} ago`, {
      fraction: job.progress?.fraction ?? null,
    });
  const { progress } = job;
  if (!progress) return sentence('Starting');
  const { fraction, step, total, message, etaSeconds } = progress;
  const steps = step === null ? '' : total === null ? `step ${step}` : `${step} of ${total}`;
  return sentence(message ?? (steps || 'Running'), {
    fraction,
    end: etaSeconds === null ? null : `${estimateOf(etaSeconds)} left`,
  });
}

/** Says it in one sentence, from what the server says; `now` is the server's time, in ms. */
export function nowSentence(job: JobRow, now: number): NowSentence {
  switch (job.status) {
    case 'QUEUED':
      return queued(job);
    case 'RUNNING':
      return running(job, now);
    case 'FAILED':
      return sentence(job.failure?.message ?? job.statusReason ?? 'Failed', {
        code: job.failure?.code ?? null,
      });
    case 'CANCELLED':
      return sentence(job.statusReason ?? (job.startedAt === null ? 'Before it started' : 'While it ran'));
    case 'SUCCEEDED': {
      const took =
        job.startedAt && job.finishedAt ? Date.parse(job.finishedAt) - Date.parse(job.startedAt) : null;
      const where = job.engine ? ` on ${job.engine}` : '';
      return sentence(took === null ? 'Done' : `Done in ${spanOf(took)}${where}`);
    }
    default:
      return sentence(job.statusReason ?? '');
  }
}

/** From the start, or while it waits from the submit, to the end or `now`; in ms. */
export function elapsedMs(job: Pick<JobRow, 'createdAt' | 'startedAt' | 'finishedAt'>, now: number): number {
  const end = job.finishedAt ? Date.parse(job.finishedAt) : now;
  return end - Date.parse(job.startedAt ?? job.createdAt);
}
