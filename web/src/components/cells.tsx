import { For } from 'solid-js';
import type { Device, Holder } from '../lib/fleet.js';
import { healthOf } from '../lib/health.js';
import { visibleText } from '@gjm/core/text/visible-text.js';

/** One mark per device, told by shape before colour: full runs a job of the viewer, hollow is open, anything else is held back. */
export const Cells = (props: { devices: readonly Device[]; holders: readonly Holder[] }) => {
  const isHeld = (id: string) => props.holders.some(({ devices }) => devices.some((it) => it.id === id));
  const kindOf = (device: Device) => {
    const { shape } = healthOf(device);
    return shape === 'ok' && isHeld(device.id) ? 'busy' : shape;
  };
  return (
    <span class="cells">
      <For each={props.devices}>
        {(device) => (
          <span
            class={`cell ${kindOf(device)}`}
            title={`${visibleText(device.name)}: ${kindOf(device) === 'busy' ? 'runs a job' : healthOf(device).word}`}
          />
        )}
      </For>
    </span>
  );
};
