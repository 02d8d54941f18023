/** Waits `ms`; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** One signal for several reasons to stop. */
export function anySignal(first: AbortSignal, second?: AbortSignal | null): AbortSignal {
  return second ? AbortSignal.any([first, second]) : first;
}
