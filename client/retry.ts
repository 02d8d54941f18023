import { ApiError, UnreachableError } from './errors.js';
import { BackOff } from './back-off.js';
import { pause } from './pause.js';

/** Faults after which the same request may well succeed. */
export const isTransient = (error: unknown): boolean =>
  (error instanceof UnreachableError && error.transient) ||
  (error instanceof ApiError && (error.code === 'UNAVAILABLE' || error.code === 'RATE_LIMITED'));

/** Repeats what is safe to repeat, at most `tries` times in all, while the fault is transient; then throws the last one. */
export async function retrying<T>(run: () => Promise<T>, tries: number, signal: AbortSignal): Promise<T> {
  const backOff = new BackOff();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isTransient(error) || backOff.tries + 1 >= tries) throw error;
      await pause(backOff.next(), signal);
    }
  }
}
