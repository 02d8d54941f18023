import { onCleanup } from 'solid-js';

/** Calls back whenever somebody returns to the page or the network does, for as long as the owner lives. */
export function onReturn(act: () => void): void {
  const seen = (): void => void (document.hidden || act());
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('focus', seen);
  window.addEventListener('online', seen);
  onCleanup(() => {
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('focus', seen);
    window.removeEventListener('online', seen);
  });
}
