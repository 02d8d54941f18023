import { nowSentence as describeNow, type ShownJob } from '@gjm/core/text/now-sentence.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';

const percentOf = (fraction: number): string => `${Math.floor(Math.min(1, Math.max(0, fraction)) * 100)} %`;

/** The one thing worth knowing about a job at `now` (ms), on one line without controls. */
export function nowSentence(job: ShownJob, now: number): string {
  const { fraction, code, text, end } = describeNow(job, now);
  const percent = fraction === null ? '' : percentOf(fraction);
  if (job.status === 'RUNNING') return visibleLine([percent, text, end].filter(Boolean).join(', '));
  const told = code === null ? text : `${code}: ${text}`;
  return visibleLine(end === null ? told : `${told} (${end})`);
}

/** The same for whoever draws progress apart. */
export const doingSentence = (job: ShownJob, now: number): string =>
  job.status === 'RUNNING' ? visibleLine(describeNow(job, now).text) : nowSentence(job, now);
