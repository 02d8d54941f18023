import { createSignal, onCleanup, type Accessor } from 'solid-js';
import type { Client } from '@gjm/client/index.js';

/** A difference below this, in ms, is the header's own: it is cut to the second, and the answer was on its way. */
const noticeableMs = 3_000;

let aheadMs = 0;

/** The server's time, in ms: ages and timers compare its stamps, and the reader's clock may be minutes off. */
const serverNow = (): number => Date.now() + aheadMs;

/** Reads the server's clock off the answers that pass through. */
export function observingClock(fetch: Client['fetch']): Client['fetch'] {
  return async (input, init) => {
    const response = await fetch(input, init);
    const stamp = Date.parse(response.headers.get('date') ?? '');
    const ahead = stamp - Date.now();
    if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) > noticeableMs ? ahead : 0;
    return response;
  };
}

/** The server's time as a signal that moves once a second, and not at all while nobody looks at the page. */
export function createNow(): Accessor<number> {
  const [now, setNow] = createSignal(serverNow());
  const timer = setInterval(() => document.hidden || setNow(serverNow()), 1_000);
  const seen = (): void => void (document.hidden || setNow(serverNow()));
  document.addEventListener('visibilitychange', seen);
  onCleanup(() => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', seen);
  });
  return now;
}
