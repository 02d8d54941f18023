import { setTimeout as pause } from 'node:timers/promises';
import { StackProblem } from './problem.js';

/** How long to look, how often, and the words for the failure ("Postgres was not ready"). */
export interface UntilOptions {
  limitMs: number;
  everyMs?: number;
  what: string;
  /** Ends the wait at once with a {@link StackProblem}. */
  signal?: AbortSignal | undefined;
}

/**
 * Looks until `look` gives something truthy and returns it. A throw of `look` ends the wait at once.
 * Fails with a {@link StackProblem} naming `what` when `limitMs` have passed on the monotonic clock.
 */
export async function until<T>(
  look: () => Promise<T> | T,
  options: UntilOptions,
): Promise<Exclude<T, undefined | false | null>> {
  const deadline = performance.now() + options.limitMs;
  for (;;) {
    if (options.signal?.aborted) throw new StackProblem('Stopped before it was ready.');
    const seen = await look();
    if (seen) return seen as Exclude<T, undefined | false | null>;
    if (performance.now() >= deadline) {
      throw new StackProblem(`${options.what} within ${Math.round(options.limitMs / 1000)} s.`);
    }
    await pause(options.everyMs ?? 25);
  }
}

/** Waits for `work` at most `limitMs`; true when it settled in time. The work itself goes on. */
export async function settlesWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = work.then(
    () => true,
    () => true,
  );
  const late = pause(limitMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([settled, late]);
  } finally {
    timer.abort();
  }
}
