import { createEffect, on } from 'solid-js';
import type { CombinedError } from '@urql/core';
import { everyMs } from './interval.js';
import { onReturn } from './return.js';
import { useSession } from './session.js';

/** Two signs of one return (the window's focus and its visibility) are one, in ms. */
const onceMs = 400;

/** A server that could not be reached is asked again after so long, in ms; one that said no is not. */
const retryMs = 2_000;

const isUnreachable = (error: unknown): boolean =>
  Boolean((error as Partial<CombinedError> | null)?.networkError);

/**
 * Calls `read` whenever the page may show the past: somebody returns to the tab, the network is back, or the live connection is. A socket
 * can look open for a while after a sleep, so returning is a reason of its own. While `error` says that the last reading did not arrive, it
 * is tried again.
 */
export function createReread(read: () => void, error: () => unknown = () => null): void {
  const { liveness } = useSession();
  let last = 0;
  const again = (): void => {
    if (performance.now() - last < onceMs) return;
    last = performance.now();
    read();
  };
  createEffect(
    on(
      () => liveness().state,
      (state, before) => before === 'reconnecting' && state === 'live' && read(),
      { defer: true },
    ),
  );
  createEffect(() => isUnreachable(error()) && everyMs(retryMs, read));
  onReturn(again);
}
