import { createMemo, createSignal, onCleanup } from 'solid-js';
import type { ConnectionState } from '@gjm/client/index.js';

/** Whether the page shows the present, and since when (ms, the reader's clock). Null before anything was followed. */
export interface Liveness {
  state: ConnectionState | null;
  since: number;
}

/** The live connection's state; a browser that says it is offline is believed at once, long before a ping would find out. */
export function createLiveness() {
  const [link, setLink] = createSignal<Liveness>({ state: null, since: Date.now() });
  const [offlineSince, setOfflineSince] = createSignal<number | null>(null);
  const offline = (): void => void setOfflineSince(Date.now());
  const online = (): void => void setOfflineSince(null);
  window.addEventListener('offline', offline);
  window.addEventListener('online', online);
  onCleanup(() => {
    window.removeEventListener('offline', offline);
    window.removeEventListener('online', online);
  });
  const liveness = createMemo((): Liveness => {
    const since = offlineSince();
    return since !== null && link().state === 'live' ? { state: 'reconnecting', since } : link();
  });
  return {
    liveness,
    setLink: (state: ConnectionState): void => void setLink({ state, since: Date.now() }),
  };
}
