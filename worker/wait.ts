import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms`, or at once when `signal` is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * What `work` resolves to when it does so within `limitMs`, else `late`. A rejection passes through; the work itself goes on, and a later
 * rejection of it is swallowed.
 */
export function within<T, L>(work: Promise<T>, limitMs: number, late: L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A promise with its handles outside. Settling it twice is harmless. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
}

export function defer<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
