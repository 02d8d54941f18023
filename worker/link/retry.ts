import { pause } from '../wait.js';
import { isFault } from './link-error.js';

export interface RetryOptions {
  /** Ends the waiting and the repeating; the last error is then thrown. */
  signal?: AbortSignal;
  /** Waits never grow beyond this, in ms. */
  capMs?: number;
  /** Told before each wait, for the log. */
  onRetry?: (error: Error, waitMs: number) => void;
}

/** The wait before try `n` (from 0): doubling from 50 ms to the cap, between half and all of it by `unit` in [0, 1). */
export function waitBeforeRetryMs(n: number, capMs: number, unit: number): number {
  return Math.min(capMs, 50 * 2 ** Math.min(n, 20)) * (0.5 + unit / 2);
}

/** Repeats `call` for ever while the server can not be reached; any other failure is thrown at once. */
export async function untilAnswered<T>(call: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { signal, capMs = 2_000, onRetry } = options;
  for (let n = 0; ; n += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isFault(error, 'unreachable') || signal?.aborted) throw error;
      const waitMs = waitBeforeRetryMs(n, capMs, Math.random());
      onRetry?.(error, waitMs);
      await pause(waitMs, signal);
      if (signal?.aborted) throw error;
    }
  }
}
