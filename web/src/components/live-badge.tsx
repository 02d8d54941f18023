import { createSignal, onCleanup, Show, createEffect } from 'solid-js';
import { useSession } from '../lib/session.js';
import { clockOf } from '@gjm/core/text/times.js';
import { Icon } from './icon.js';

/** A reconnect shorter than this, in ms, is not worth a banner that would make the page jump. */
const patienceMs = 1_500;

/** How true the page is: live with the server's time, as of when it last was, or final when nothing more can come. */
export const LiveBadge = (props: { now: number; finalAt?: string | null }) => {
  const { liveness } = useSession();
  const isLive = () => liveness().state === 'live';
  const word = () => (isLive() ? 'Live' : liveness().state === 'reconnecting' ? 'as of' : 'Connecting');
  return (
    <Show
      when={props.finalAt}
      fallback={
        <span
          class="live"
          classList={{ off: liveness().state === 'reconnecting', opening: !liveness().state }}
        >
          <Icon name={liveness().state === 'reconnecting' ? 'unplugged' : 'pulse'} />
          {word()}
          <span class="num">{clockOf(isLive() ? props.now : liveness().since)}</span>
        </span>
      }
    >
      {(finalAt) => (
        <span class="live">
          <Icon name="check" />
          Final
          <span class="num">{clockOf(finalAt())}</span>
        </span>
      )}
    </Show>
  );
};

/** Says that the page shows the past, and since when. Announced, since nothing else on the page would tell. */
export const NotLiveBanner = () => {
  const { client, liveness } = useSession();
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
          <Icon name="unplugged" />
          <span>
            <b class="medium">Not live, reconnecting.</b> What you see is as of{' '}
            <span class="num">{clockOf(liveness().since)}</span>. Jobs go on; nothing is lost.
          </span>
          <button class="btn" type="button" onClick={() => client.hurry()}>
            Try now
          </button>
        </p>
      </Show>
    </div>
  );
};
