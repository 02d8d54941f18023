import { For } from 'solid-js';
import type { Device } from '../lib/fleet.js';
import { healthOf } from '../lib/health.js';
import { visibleText } from '@gjm/core/text/visible-text.js';

/** One mark per device, told by shape before colour: full runs a job, hollow is open, anything else is held back. */
export const Cells = (props: { devices: readonly Device[] }) => {
  const isTaken = ({ slots }: Device) => slots.some(({ holderName }) => holderName !== null);
  const kindOf = (device: Device) => {
    const { shape } = healthOf(device);
    return shape === 'ok' && isTaken(device) ? 'busy' : shape;
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
