import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './ports.js';
import type { TickOutcome } from './schedule-tick.js';

/**
 * Ticks start at least this far apart, in ms: many wake-ups of one burst become one tick. After one that placed nothing there is no burst,
 * and the next job must not wait for its end.
 */
const spacingMs = { burst: 20, quiet: 5 };

interface TickerDependencies {
  /** Runs one tick and dispatches what it placed. */
  tick: (full: boolean) => Promise<TickOutcome>;
  /** False while nothing may be placed, because Redis could not carry it. */
  canPlace: () => boolean;
  /** A full tick comes at least this often, woken or not. */
  tickMs: number;
  logger: Logger;
}

/** Runs ticks one at a time: at once when woken after quiet, coalesced in a burst, and every `tickMs` in any case. */
export class Ticker {
  #isWanted = false;
  #loop: Promise<void> | null = null;
  #lastStart = -Infinity;
  #spacing = spacingMs.quiet;
  #lastFull = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly dependencies: TickerDependencies) {}

  start(): void {
    this.#timer = setInterval(() => this.request(), this.dependencies.tickMs);
    this.request();
  }

  /** Something may be placed: tick soon. Cheap; call it freely. */
  request(): void {
    this.#isWanted = true;
    if (!this.#isClosed) this.#loop ??= this.#run().finally(() => (this.#loop = null));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      const wait = this.#lastStart + this.#spacing - performance.now();
      if (wait > 0) await delay(wait);
      this.#isWanted = false;
      if (this.#isClosed || !this.dependencies.canPlace()) return;
      await this.#tickOnce();
    }
  }

  async #tickOnce(): Promise<void> {
    const { tick, tickMs, logger } = this.dependencies;
    this.#lastStart = performance.now();
    const full = this.#lastStart - this.#lastFull >= tickMs;
    try {
      const { busy, placed } = await tick(full);
      if (full && !busy) this.#lastFull = this.#lastStart;
      this.#spacing = placed.length > 0 ? spacingMs.burst : spacingMs.quiet;
      if (busy) this.#isWanted = true;
    } catch (error) {
      logger.error({ err: error }, 'a tick failed; the next one comes by the clock');
    }
  }
}
