import type { ConnectionState, JobDetails } from '@gjm/client/index.js';
import { elapsedMs } from '@gjm/core/text/now-sentence.js';
import { doingSentence } from '../job/now-sentence.js';
import { markOf, paintStatus } from '../job/status-look.js';
import type { Paint } from '../output.js';
import { estimateOf, timerOf } from '@gjm/core/text/times.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { cutTo } from '../text/width.js';

/** What a live view knows. */
export interface Scene {
  job: JobDetails;
  log: readonly string[];
  connection: ConnectionState;
}

/** The room there is, and the time in ms. */
export interface Stage {
  cells: number;
  rows: number;
  now: number;
}

const mostBar = 40;

/** `█████░░░░░  50 %`, with what is left of the time. */
export function progressLine({ progress }: Pick<JobDetails, 'progress'>, cells: number): string {
  const fraction = Math.min(1, Math.max(0, progress?.fraction ?? 0));
  const length = Math.max(4, Math.min(mostBar, cells - 24));
  const full = Math.round(fraction * length);
  const percent = `${Math.floor(fraction * 100)} %`.padStart(5);
  const eta = progress?.etaSeconds == null ? '' : `  ${estimateOf(progress.etaSeconds)} left`;
  return `${'█'.repeat(full)}${'░'.repeat(length - full)} ${percent}${eta}`;
}

const listOf = (names: readonly string[]): string => names.map(visibleLine).join(', ');

function whereLine(job: JobDetails): string {
  const attempt = job.attempts.at(-1);
  if (!attempt) return '';
  const engine = job.engine ? ` (${visibleLine(job.engine)})` : '';
  return `attempt ${attempt.number} on ${listOf(job.devices.map(({ name }) => name)) || 'no device'}${engine}`;
}

function stateLines(scene: Scene, stage: Stage, paint: Paint): string[] {
  const { job } = scene;
  const line = (text: string, look: (text: string) => string = (same) => same): string =>
    look(cutTo(text, stage.cells));
  const timer = timerOf(elapsedMs(job, stage.now));
  const lost = scene.connection === 'reconnecting' ? '  not live: reconnecting …' : '';
  const waiting = job.waiting?.reasons.map(({ code, message }) => visibleLine(`${code}: ${message}`)) ?? [];
  return [
    line(`${visibleLine(job.name)}  ${visibleLine(job.kind)}  ${job.id}`, paint.bold),
    line(`${markOf(job)} ${job.status}  ${timer}${lost}`, (text) =>
      lost ? paint.yellow(text) : paintStatus(paint, job, text),
    ),
    ...(job.status === 'RUNNING' ? [line(progressLine(job, stage.cells))] : []),
    line(doingSentence(job, stage.now)),
    ...(waiting.length > 1 ? waiting.map((text) => line(`  ${text}`, paint.dim)) : []),
    ...(whereLine(job) ? [line(whereLine(job), paint.dim)] : []),
  ];
}

/**
 * The lines of one picture, at most `rows` and none wider than `cells`: what is worth most stands on top, and the log takes the room
 * that is left.
 */
export function frameOf(scene: Scene, stage: Stage, paint: Paint): string[] {
  const head = stateLines(scene, stage, paint);
  const foot = paint.dim(cutTo('Ctrl-C stops watching; the job goes on.', stage.cells));
  const room = stage.rows - head.length - 3;
  const log = room > 0 ? scene.log.slice(-room).map((text) => cutTo(text, stage.cells)) : [];
  const body = log.length > 0 ? ['', ...log] : [];
  return [...head, ...body, '', foot].slice(0, stage.rows);
}
