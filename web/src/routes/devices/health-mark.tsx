import { Match, Switch } from 'solid-js';
import type { Device } from '../../lib/fleet.js';
import { healthOf } from '../../lib/health.js';

/** Shape, word and colour of a device's health. */
export const HealthMark = (props: { device: Device }) => {
  const look = () => healthOf(props.device);
  return (
    <span class={`st ${look().tone}`}>
      <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
        <Switch fallback={<circle cx="8" cy="8" r="5.5" />}>
          <Match when={look().shape === 'ok'}>
            <circle class="solid" cx="8" cy="8" r="3" />
          </Match>
          <Match when={look().shape === 'elsewhere'}>
            <path d="M3 3h7v7H3zM6 13h7V6" />
          </Match>
          <Match when={look().shape === 'dirty'}>
            <path d="M2.5 2.5h11v11h-11zM2.500 9.500l7-7M6.500 13.500l7-7" />
          </Match>
          <Match when={look().shape === 'unknown' || look().shape === 'silent'}>
            <circle cx="8" cy="8" r="6" />
            <path d="M6.300 6.300a1.700 1.700 0 1 1 2.500 1.500c-.5.3-.8.6-.8 1.200M8 11.300v.1" />
          </Match>
          <Match when={look().shape === 'lost'}>
            <path d="M5.300 2h5.400L14 5.300v5.400L10.700 14H5.300L2 10.700V5.300zM6 6l4 4m0-4-4 4" />
          </Match>
          <Match when={look().shape === 'draining'}>
            <circle cx="8" cy="8" r="6" />
            <path d="M8 5v6M5.800 8.800 8 11l2.200-2.200" />
          </Match>
        </Switch>
      </svg>
      <b>{look().word}</b>
    </span>
  );
};
