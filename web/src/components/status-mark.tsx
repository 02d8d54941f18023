import { Match, Show, Switch } from 'solid-js';
import type { JobRow } from '@gjm/client/index.js';
import { lookOf } from '../lib/status.js';

type Standing = Pick<JobRow, 'status' | 'cancelRequestedAt' | 'waiting' | 'progress'>;

/** The ring that fills: its length is 100, so that a percentage is a dash. */
const Ring = (props: { fraction: number | null }) => (
  <>
    <circle cx="8" cy="8" r="5.5" opacity="0.28" />
    <Show when={props.fraction !== null}>
      <circle
        cx="8"
        cy="8"
        r="5.5"
        pathLength="100"
        stroke-dasharray={`${Math.round((props.fraction ?? 0) * 100)} 100`}
        stroke-linecap="butt"
        transform="rotate(-90 8 8)"
      />
    </Show>
  </>
);

/** Shape, word and colour, always all three: any of them alone is enough to tell a state. */
export const StatusMark = (props: { job: Standing; big?: boolean; still?: boolean; word?: string }) => {
  const look = () => lookOf(props.job);
  const fraction = () => props.job.progress?.fraction ?? null;
  return (
    <span class={`st ${look().tone} ${props.big ? 'big' : ''}`}>
      <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
        <Switch fallback={<circle cx="8" cy="8" r="5.5" />}>
          <Match when={look().shape === 'queued'}>
            <circle cx="8" cy="8" r="5.5" stroke-dasharray="2.35 1.97" stroke-linecap="butt" />
          </Match>
          <Match when={look().shape === 'blocked'}>
            <circle cx="8" cy="8" r="5.5" />
            <path d="M8 5.1V8l2 1.3" />
          </Match>
          <Match when={look().shape === 'running'}>
            <Ring fraction={fraction()} />
            <circle class="solid" classList={{ breathe: !props.still }} cx="8" cy="8" r="2" />
          </Match>
          <Match when={look().shape === 'cancelling'}>
            <Ring fraction={fraction()} />
            <rect class="solid" x="6.2" y="6.2" width="3.6" height="3.6" rx="0.6" />
          </Match>
          <Match when={look().shape === 'succeeded'}>
            <circle class="solid" cx="8" cy="8" r="6.5" />
            <path class="hole" d="m5.2 8.2 2 2 3.7-4.2" />
          </Match>
          <Match when={look().shape === 'failed'}>
            <path class="solid" d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" />
            <path class="hole" d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" />
          </Match>
          <Match when={look().shape === 'cancelled'}>
            <circle cx="8" cy="8" r="5.5" />
            <path d="m4.2 11.8 7.6-7.6" />
          </Match>
        </Switch>
      </svg>
      <b>{props.word ?? look().word}</b>
    </span>
  );
};
