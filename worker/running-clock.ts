/** How often the clock looks at itself, in ms. */
const stepMs = 250;
/** A jump beyond this, in ms, means that the process (or the machine) was stopped. */
const longestStepMs = 2_000;

/**
 * Monotonic time in which this process ran: what it spent stopped (SIGSTOP, suspended machine) is not counted. Deadlines of attempts and
 * the orphan limit are counted on it, so that stopping and continuing everything ends nothing.
 */
export class RunningClock {
  #countedMs = 0;
  #last = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #wakeListeners = new Set<() => void>();

  constructor() {
    this.#timer = setInterval(() => this.#advance(), stepMs);
    this.#timer.unref();
  }

  /** Milliseconds this process ran since the clock was made. */
  nowMs(): number {
    this.#advance();
    return this.#countedMs;
  }

  /** Calls `listener` each time the process turns out to have been stopped. Returns the way to end that. */
  onWake(listener: () => void): () => void {
    this.#wakeListeners.add(listener);
    return () => this.#wakeListeners.delete(listener);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#wakeListeners.clear();
  }

  #advance(): void {
    const now = performance.now();
    const passedMs = now - this.#last;
    this.#last = now;
    if (passedMs <= longestStepMs) {
      this.#countedMs += passedMs;
      return;
    }
    this.#countedMs += stepMs;
    for (const listener of this.#wakeListeners) listener();
  }
}
