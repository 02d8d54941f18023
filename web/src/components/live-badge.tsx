import { createSignal, onCleanup, Show, createEffect } from 'solid-js';
import { clockOf } from '../lib/times.js';
import { useSession } from '../lib/session.js';
import { Icon } from './icon.js';

/** A reconnect shorter than this, in ms, is not worth a banner that would make the page jump. */
const patienceMs = 1_500;

/** How true the page is: live with the server's time, or final when nothing more can come. */
export const LiveBadge = (props: { now: number; finalAt?: string | null }) => {
  const { liveness } = useSession();
  const isLive = () => liveness().state === 'live';
  return (
    <Show
      when={props.finalAt}
      fallback={
        <span class="live" classList={{ off: !isLive() }}>
          <Icon name="pulse" />
          {isLive() ? 'Live' : 'Connecting'}
          <span class="faint num">{clockOf(isLive() ? props.now : liveness().since)}</span>
        </span>
      }
    >
      {(finalAt) => (
        <span class="live">
          <Icon name="check" />
          Final
          <span class="faint num">{clockOf(finalAt())}</span>
        </span>
      )}
    </Show>
  );
};

/** Says that the page shows the past, and since when. Announced, since nothing else on the page would tell. */
export const NotLiveBanner = () => {
  const { liveness } = useSession();
  const [isLate, setLate] = createSignal(false);
  createEffect(() => {
    setLate(false);
    if (liveness().state !== 'reconnecting') return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    onCleanup(() => clearTimeout(timer));
  });
  return (
    <div role="status">
      <Show when={isLate()}>
        <p class="banner">
          <Icon name="alert" />
          <span>
            Not live. This is how things stood at <span class="num">{clockOf(liveness().since)}</span>;
            reconnecting.
          </span>
        </p>
      </Show>
    </div>
  );
};
