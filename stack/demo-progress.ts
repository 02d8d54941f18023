import type { JobEvent } from '@gjm/client/node.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';

/** What the terminal shows of a running job. */
export interface ProgressView {
  show(event: JobEvent): void;
  /** Ends the redrawn line, so that what follows starts on a line of its own. */
  end(): void;
}

/** The least of a stream that is needed here; `columns` is undefined where it is not a terminal. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const BAR_CELLS = 24;

/** A terminal gets one line that is drawn again and again; anything else a line for each change. */
export function makeProgressView(screen: Screen): ProgressView {
  let shown = '';
  return {
    show(event) {
      const text = describeEvent(event, screen.isTTY === true);
      if (text === undefined || text === shown) return;
      if (screen.isTTY) screen.write(`\r\x1b[2K${text.slice(0, (screen.columns ?? 80) - 1)}`);
      else screen.write(`${text}\n`);
      shown = text;
    },
    end() {
      if (screen.isTTY && shown !== '') screen.write('\n');
      shown = '';
    },
  };
}

/** One line about an event, undefined for one that is not shown. Without a bar, progress is told in tenths. */
function describeEvent(event: JobEvent, withBar: boolean): string | undefined {
  switch (event.__typename) {
    case 'JobStatusEvent':
      return visibleLine([event.status.toLowerCase(), event.reason].filter(Boolean).join(': '));
    case 'JobDecisionEvent':
      return visibleLine(event.decision.summary);
    case 'JobProgressEvent': {
      const fraction = Math.min(1, Math.max(0, event.progress.fraction ?? 0));
      const percent = `${Math.floor(fraction * 100)} %`;
      if (!withBar) return `running: ${Math.floor(fraction * 10) * 10} %`;
      const full = Math.round(fraction * BAR_CELLS);
      const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full);
      return `${bar} ${percent.padStart(5)}  ${visibleLine(event.progress.message ?? '')}`.trimEnd();
    }
    default:
      return undefined;
  }
}
