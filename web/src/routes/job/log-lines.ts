import type { JobEvent } from '@gjm/client/index.js';
import { visibleText } from '../../lib/visible-text.js';

export interface LogLine {
  /** Unique on the page. */
  key: string;
  /** As counted by the server, per attempt and stream. */
  number: number;
  stream: string;
  at: string;
  text: string;
}

/** The end of a job's log. `dropped` counts lines that had to make room. */
export interface LogTail {
  lines: readonly LogLine[];
  dropped: number;
}

export const emptyTail: LogTail = { lines: [], dropped: 0 };

/** More lines than this are not drawn; the log artifact has all of them. */
const tailLimit = 1_000;

function linesOf(event: Extract<JobEvent, { __typename: 'JobLogEvent' }>): LogLine[] {
  const texts = event.text.split('\n');
  // A chunk's last line ends in a newline too, and nothing comes after that.
  if (texts.at(-1) === '') texts.pop();
  return texts.map((text, i) => ({
    key: `${event.sequence}.${i}`,
    number: event.firstLine + i,
    stream: event.stream,
    at: event.at,
    text: visibleText(text),
  }));
}

/** Adds what a batch of events logged, in order. Batches matter: one line at a time would copy the tail for each. */
export function appendLog(tail: LogTail, events: readonly JobEvent[], limit = tailLimit): LogTail {
  const fresh = events.flatMap((event) => (event.__typename === 'JobLogEvent' ? linesOf(event) : []));
  if (fresh.length === 0) return tail;
  const lines = [...tail.lines, ...fresh];
  const over = Math.max(0, lines.length - limit);
  return { lines: over > 0 ? lines.slice(over) : lines, dropped: tail.dropped + over };
}
