import { onCleanup } from 'solid-js';

/** Calls `act` every `ms` while somebody looks at the page and the owner lives. */
export function everyMs(ms: number, act: () => void): void {
  const timer = setInterval(() => document.hidden || act(), ms);
  onCleanup(() => clearInterval(timer));
}
