import type { JobEvent } from '@gjm/client/index.js';
import { because } from './because.js';

type ProgressEvent = JobEvent & { __typename: 'JobProgressEvent' };

/** Where nobody knows how far it is, a message is told at most this often, in ms. */
const messageMs = 5_000;

/** Progress as lines: in tenths, and where only messages tell it, now and then. A line for each step would be a flood. */
export class ProgressLines {
  #tenth = 0;
  #messageAt = -Infinity;

  /** A new attempt begins at nothing. */
  startOver(): void {
    this.#tenth = 0;
    this.#messageAt = -Infinity;
  }

  /** Empty when this one is passed over. */
  textOf({ at, progress }: Pick<ProgressEvent, 'at' | 'progress'>): string {
    const { fraction, message } = progress;
    if (fraction === null) return message === null ? '' : this.#messageText(message, Date.parse(at));
    const tenth = Math.floor(Math.min(1, Math.max(0, fraction)) * 10);
    if (tenth <= this.#tenth) return '';
    this.#tenth = tenth;
    return because(`PROGRESS ${tenth * 10} %`, message);
  }

  #messageText(message: string, at: number): string {
    if (at - this.#messageAt < messageMs) return '';
    this.#messageAt = at;
    return because('PROGRESS', message);
  }
}
