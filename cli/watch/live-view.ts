import type { JobEvent } from '@gjm/client/index.js';
import { nowSentence } from '../job/now-sentence.js';
import { markOf, paintStatus } from '../job/status-look.js';
import type { Output } from '../output.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { frameOf, type Scene } from './frame.js';
import { LogTail } from './log-tail.js';
import { openScreen, type Screen } from './screen.js';
import type { JobView } from './view.js';

/** How often the picture may change, and how often the timer makes it, in ms. */
const paintMs = 50;
const tickMs = 1_000;
/** How many of a job's last events are read back, for its last log lines. */
const backlog = 200;
const logLines = 200;
/** Log lines left on the terminal after a failure. */
const lastWords = 10;

/** What an event says about the job at once; the rest comes when the job is read again. */
function applied(scene: Scene, event: JobEvent, log: LogTail): Scene {
  // What came before the job was read is read back for its log only.
  const isOld = event.sequence <= scene.job.lastSequence;
  switch (event.__typename) {
    case 'JobLogEvent':
      log.add(event.text);
      return { ...scene, log: log.lines };
    case 'JobProgressEvent':
      return isOld ? scene : { ...scene, job: { ...scene.job, progress: event.progress } };
    case 'JobStatusEvent':
      return isOld ? scene : { ...scene, job: { ...scene.job, status: event.status } };
    default:
      return scene;
  }
}

/** For a terminal: a page of its own while the job lives, and on the person's own page how it ended. */
export function makeLiveView(output: Output): JobView {
  const log = new LogTail(logLines);
  let scene: Scene | null = null;
  let screen: Screen | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pending: NodeJS.Timeout | undefined;
  const paint = (): void => {
    clearTimeout(pending);
    pending = undefined;
    // One cell is kept free: some terminals wrap as soon as the last one is written.
    const stage = { cells: (output.cells() ?? 80) - 1, rows: output.rows(), now: Date.now() };
    if (scene) screen?.paint(frameOf(scene, stage, output.paint));
  };
  const paintSoon = (): void => void (pending ??= setTimeout(paint, paintMs));
  const change = (next: (scene: Scene) => Scene): void => {
    if (scene) scene = next(scene);
    paintSoon();
  };
  return {
    startAfter: ({ lastSequence }) => Math.max(0, lastSequence - backlog),
    begin: async (job) => {
      scene = { job, log: [], connection: 'live' };
      screen = openScreen(process.stdout, paint);
      timer = setInterval(paint, tickMs);
      paint();
    },
    event: async (event) => change((old) => applied(old, event, log)),
    refresh: (job) => change((old) => (job.lastSequence < old.job.lastSequence ? old : { ...old, job })),
    connection: (connection) => change((old) => ({ ...old, connection })),
    close: () => {
      clearInterval(timer);
      clearTimeout(pending);
      screen?.close();
    },
    end: (job) => {
      const state = paintStatus(output.paint, job, `${markOf(job)} ${job.status}`);
      const name = output.paint.bold(visibleLine(job.name));
      return output.lines([
        ...(job.status === 'FAILED' ? log.lines.slice(-lastWords) : []),
        `${state}  ${name}  ${nowSentence(job, Date.now())}`,
      ]);
    },
  };
}
