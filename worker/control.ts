import { isFault, type LinkError } from './link/link-error.js';
import { waitBeforeRetryMs } from './link/retry.js';
import { pause } from './wait.js';

export interface ControlOptions {
  /** Resolves when the server has something for this worker, or after a while with nothing. */
  wait: (signal: AbortSignal) => Promise<void>;
  /** A beat: it alone says what there is to do. */
  hear: () => Promise<void>;
  onForbidden: (error: LinkError) => void;
}

/** Not more than one wait is begun within this time, in ms, whatever the server answers. */
const shortestRoundMs = 20;
const longestPauseMs = 5_000;

/**
 * Keeps one long poll at the server, so that a cancel is heard at once and not with the next beat. It only wakes: without it everything
 * still works, at the pace of the beats.
 */
export class Control {
  readonly #options: ControlOptions;
  readonly #closing = new AbortController();
  #pokedAtMs = -Infinity;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** When the server last had something to say, on the process' own monotonic clock. */
  get pokedAtMs(): number {
    return this.#pokedAtMs;
  }

  start(): void {
    void this.#listen();
  }

  close(): void {
    this.#closing.abort();
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      const beganAt = performance.now();
      try {
        await this.#options.wait(signal);
        failures = 0;
        this.#pokedAtMs = performance.now();
        // The next wait begins at once, beside the beat: a poke that comes while nobody waits would be heard only with a later beat.
        if (!signal.aborted) void this.#options.hear().catch(() => undefined);
        await pause(Math.max(0, shortestRoundMs - (performance.now() - beganAt)), signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isFault(error, 'forbidden')) this.#options.onForbidden(error);
        await pause(waitBeforeRetryMs((failures += 1), longestPauseMs, Math.random()), signal);
      }
    }
  }
}
