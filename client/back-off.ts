/** Where jitter comes from; a test passes its own. Returns 0 ≤ x < 1. */
export type Random = () => number;

export interface BackOffOptions {
  /** First pause, in ms, before jitter. */
  firstMs?: number;
  /** No pause is longer than this, in ms. */
  capMs?: number;
  random?: Random;
}

/**
 * Pauses between tries: doubling, capped, endless. Each is drawn from the upper half of its step, so that a thousand clients that lost
 * the same server do not return in the same instant, and none returns at once.
 */
export class BackOff {
  #tries = 0;
  readonly #firstMs: number;
  readonly #capMs: number;
  readonly #random: Random;

  constructor(options: BackOffOptions = {}) {
    this.#firstMs = options.firstMs ?? 250;
    this.#capMs = options.capMs ?? 8_000;
    this.#random = options.random ?? Math.random;
  }

  /** Tries since the last success. */
  get tries(): number {
    return this.#tries;
  }

  /** Length of the next pause, in ms. */
  next(): number {
    // The exponent is bounded too: 2 ** 1024 is Infinity, and Infinity times zero jitter is NaN.
    const step = Math.min(this.#capMs, this.#firstMs * 2 ** Math.min(this.#tries, 30));
    this.#tries += 1;
    return step / 2 + (step / 2) * this.#random();
  }

  reset(): void {
    this.#tries = 0;
  }
}
