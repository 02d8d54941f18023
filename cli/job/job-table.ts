import type { JobRow } from '@gjm/client/index.js';
import type { Paint } from '../output.js';
import type { Column } from '../text/table.js';
import { ageOf, timerOf } from '@gjm/core/text/times.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { elapsedMs } from '@gjm/core/text/now-sentence.js';
import { nowSentence } from './now-sentence.js';
import { markOf, paintStatus } from './status-look.js';

/** What `ls` tells of each job, as the dashboard's list does; `now` in ms. A narrow terminal does without the less urgent. */
export const jobColumns = (paint: Paint, now: number): Column<JobRow>[] => [
  { title: 'ID', text: ({ id }) => id },
  {
    title: 'STATUS',
    text: (job) => `${markOf(job)} ${job.status}`,
    paint: (text, job) => paintStatus(paint, job, text),
  },
  { title: 'NAME', text: ({ name }) => visibleLine(name), paint: paint.bold, least: 12, from: 76 },
  { title: 'KIND', text: ({ kind }) => visibleLine(kind), least: 8, from: 120 },
  { title: 'NOW', text: (job) => nowSentence(job, now), least: 12, from: 64 },
  {
    title: 'DEVICE',
    text: ({ devices }) => devices.map(({ name }) => visibleLine(name)).join(', '),
    least: 8,
    from: 140,
  },
  { title: 'OWNER', text: ({ owner }) => visibleLine(owner.name), least: 6, from: 160 },
  { title: 'AGE', text: ({ createdAt }) => ageOf(now - Date.parse(createdAt)), from: 100 },
  { title: 'TIME', text: (job) => timerOf(elapsedMs(job, now)), from: 90 },
];
