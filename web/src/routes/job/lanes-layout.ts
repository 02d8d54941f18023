import { spanOf } from '@gjm/core/text/times.js';
import type { JobView } from './job-view.js';

type SegmentLook = 'wait' | 'load' | 'run' | 'done' | 'lost' | 'past' | 'next';

/** A stretch of a lane; `from` and `width` are shares of the whole clock. */
export interface Segment {
  look: SegmentLook;
  from: number;
  width: number;
  label: string;
}

export interface Lane {
  number: number;
  /** Null for one that is still to be placed. */
  attempt: JobView['attempts'][number] | null;
  segments: Segment[];
}

export interface LanesLayout {
  lanes: Lane[];
  ticks: { at: number; label: string }[];
  /** Null once the job is over. */
  now: number | null;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((it) => it * second),
  ...[1, 2, 5, 10, 15, 30].map((it) => it * minute),
  ...[1, 2, 6, 12, 24].map((it) => it * hour),
];
/** Up to this length a clock counts from the submit, beyond it shows the time of day; in ms. */
const relativeMs = 10 * minute;

const two = (value: number): string => String(value).padStart(2, '0');

function tickLabel(ms: number): string {
  if (ms < minute) return `${Number((ms / second).toFixed(1))} s`;
  return `${Math.floor(ms / minute)}:${two(Math.round((ms % minute) / second))}`;
}

function ticksOf(start: number, end: number): LanesLayout['ticks'] {
  const span = end - start;
  const step = steps.find((it) => span / it <= 6) ?? 24 * hour;
  const isRelative = span <= relativeMs;
  const origin = isRelative ? start : start - ((start - new Date(start).setHours(0, 0, 0, 0)) % step) + step;
  const ticks = [];
  for (let at = origin; at <= end; at += step) {
    const day = new Date(at);
    const label = isRelative ? tickLabel(at - start) : `${two(day.getHours())}:${two(day.getMinutes())}`;
    ticks.push({ at: (at - start) / span, label });
  }
  return ticks;
}

const looks: Record<string, SegmentLook> = { SUCCEEDED: 'done', FAILED: 'lost', LOST: 'lost' };

/** Attempts as lanes on one clock, from the submit to the end, or to where the estimate says it will be; `now` in ms. */
export function layoutLanes(
  job: Pick<JobView, 'createdAt' | 'finishedAt' | 'status' | 'attempts' | 'progress'>,
  firstSigns: ReadonlyMap<number, string>,
  now: number,
): LanesLayout {
  const start = Date.parse(job.createdAt);
  const isLive = job.finishedAt === null;
  const today = Math.max(start, job.finishedAt ? Date.parse(job.finishedAt) : now);
  const etaMs = job.status === 'RUNNING' ? (job.progress?.etaSeconds ?? 0) * second : 0;
  const end = Math.max(today + etaMs, start + second);
  const span = end - start;
  const segment = (look: SegmentLook, from: number, to: number): Segment => ({
    look,
    from: (from - start) / span,
    width: Math.max(0, to - from) / span,
    label: look === 'next' ? 'estimate' : spanOf(to - from),
  });
  let free = start;
  const lanes = job.attempts.map((attempt): Lane => {
    const ended = attempt.finishedAt ? Date.parse(attempt.finishedAt) : today;
    const started = attempt.startedAt ? Date.parse(attempt.startedAt) : null;
    const segments = [segment('wait', free, started ?? ended)];
    if (started !== null) {
      const sign = Date.parse(firstSigns.get(attempt.number) ?? '');
      const loaded = Number.isNaN(sign) ? started : Math.min(Math.max(started, sign), ended);
      const look = attempt.outcome === null ? 'run' : (looks[attempt.outcome] ?? 'past');
      segments.push(segment('load', started, loaded), segment(look, loaded, ended));
      if (attempt.outcome === null && etaMs > 0) segments.push(segment('next', ended, ended + etaMs));
    }
    free = Math.max(free, ended);
    return { number: attempt.number, attempt, segments: segments.filter(({ width }) => width > 0) };
  });
  const isPlaced = job.attempts.some(({ outcome }) => outcome === null);
  if (isLive && !isPlaced && lanes.length > 0)
    lanes.push({ number: lanes.length + 1, attempt: null, segments: [segment('wait', free, today)] });
  return { lanes, ticks: ticksOf(start, end), now: isLive ? (today - start) / span : null };
}
