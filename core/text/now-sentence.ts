import { ageOf, estimateOf, spanOf } from './times.js';

/** A job as the API shows it, as far as its sentence needs; times are ISO 8601. */
export interface ShownJob {
  status: string;
  statusReason: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  cancelRequestedAt: string | null;
  failure: { code: string; message: string } | null;
  progress: {
    fraction: number | null;
    step: number | null;
    total: number | null;
    message: string | null;
    etaSeconds: number | null;
  } | null;
  engine: string | null;
  waiting: {
    position: number | null;
    etaSeconds: number | null;
    reasons: readonly { code: string; message: string }[];
  } | null;
}

/** Reasons that are no obstacle: the job is on its way, or simply next. */
const harmless = new Set(['DISPATCHED', 'PRIORITY']);

/** Whether something stands in a queued job's way. */
export const isBlocked = ({ status, waiting }: Pick<ShownJob, 'status' | 'waiting'>): boolean =>
  status === 'QUEUED' && (waiting?.reasons.some(({ code }) => !harmless.has(code)) ?? false);

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

function queued(job: ShownJob): NowSentence {
  const { waiting } = job;
  const [first, ...more] = waiting?.reasons ?? [];
  if (!waiting || !first) return sentence('Waits to be placed');
  const place =
    waiting.position !== null && waiting.position > 1 ? `${ordinal(waiting.position)} in line: ` : '';
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  const end = waiting.etaSeconds === null ? null : estimateOf(waiting.etaSeconds);
  return sentence(`${place}${first.message}${others}`, { end, isWaiting: isBlocked(job) });
}

function running(job: ShownJob, now: number): NowSentence {
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
export function nowSentence(job: ShownJob, now: number): NowSentence {
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
export function elapsedMs(
  job: Pick<ShownJob, 'createdAt' | 'startedAt' | 'finishedAt'>,
  now: number,
): number {
  const end = job.finishedAt ? Date.parse(job.finishedAt) : now;
  return Math.max(0, end - Date.parse(job.startedAt ?? job.createdAt));
}
