import type { RunningClock } from '../running-clock.js';

/** Timers beyond 2^31 ms fire at once; an hour is far below, and costs nothing to re-arm. */
const longestTimerMs = 3_600_000;
/** A timer this much late, in ms, means that the process was stopped meanwhile. */
const lateMs = 1_000;

export interface DeadlineOptions {
  clock: RunningClock;
  /** Counted from now, on the clock. */
  afterMs: number;
  /** Called before judging when the timer woke late: beats and hears the server's answer. Must not take for ever; may reject. */
  hear: () => Promise<void>;
  expire: () => void;
}

/**
 * A time limit that is fair to a process that was stopped: stopped time is not counted, and a late timer first lets the server say what
 * became of the attempt. `expire` is called at most once, and never after `close`.
 */
export class Deadline {
  readonly #options: DeadlineOptions;
  readonly #endsAtMs: number;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#endsAtMs = options.clock.nowMs() + options.afterMs;
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const leftMs = Math.max(0, this.#endsAtMs - this.#options.clock.nowMs());
    const sleepMs = Math.min(leftMs, longestTimerMs);
    const armedAt = performance.now();
    this.#timer = setTimeout(() => {
      const isLate = performance.now() - armedAt - sleepMs > lateMs;
      void this.#wake(isLate);
    }, sleepMs);
  }

  async #wake(isLate: boolean): Promise<void> {
    if (isLate) await this.#options.hear().catch(() => undefined);
    if (this.#closed) return;
    // Timers may fire a fraction early: less than a millisecond left counts as over.
    if (this.#endsAtMs - this.#options.clock.nowMs() >= 1) return this.#arm();
    this.#closed = true;
    this.#options.expire();
  }
}
