import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { useFleet } from '../lib/fleet.js';
import { healthOf } from '../lib/health.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Cells } from './cells.js';

/** So many machines are drawn one by one at the side; the devices page has all. */
const shown = 8;

/** The fleet at the foot of the sidebar: always in sight, never in the way. */
export const SideFleet = () => {
  const { fleet, isKnown } = useFleet();
  const open = () => fleet.devices.filter((device) => healthOf(device).shape === 'ok').length;
  const summary = () => {
    const held = fleet.devices.length - open();
    return held > 0 ? `${open()} open · ${held} held back` : `${open()} open`;
  };
  return (
    <section class="fleet" aria-label="Fleet">
      <A class="fleet-head" href="/devices" tabindex="-1">
        <span>Fleet</span>
        <span class="num">{isKnown() ? summary() : ''}</span>
      </A>
      <ul>
        <For
          each={fleet.workers.slice(0, shown)}
          fallback={<Show when={isKnown()}>{<li class="faint">No machine has joined</li>}</Show>}
        >
          {(worker) => (
            <li>
              <span class="cut" title={visibleText(worker.name)}>
                {visibleText(worker.name)}
              </span>
              <Cells devices={fleet.devices.filter((device) => device.worker.id === worker.id)} />
            </li>
          )}
        </For>
      </ul>
      <Show when={fleet.workers.length > shown}>
        <p class="faint t11">{fleet.workers.length - shown} more machines</p>
      </Show>
    </section>
  );
};
