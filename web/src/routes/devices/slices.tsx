import { For } from 'solid-js';
import { numberOf } from '@gjm/client/big-int.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import type { Device } from '../../lib/fleet.js';
import { healthOf } from '../../lib/health.js';
import { sliceOf } from './device-groups.js';

const isTaken = ({ slots }: Device): boolean => slots.some(({ holderName }) => holderName !== null);
const standing = (device: Device): string =>
  healthOf(device).shape !== 'ok' ? healthOf(device).word : isTaken(device) ? 'runs a job' : 'free';
const profileOf = (device: Device): string => visibleText(sliceOf(device)?.profile ?? device.name);

/** How a GPU is cut, each slice as wide as its memory: full runs a job, hollow is free, hatched is held back. */
export const Slices = (props: { gpu: string; devices: readonly Device[]; columns: number }) => (
  <tr class="mig">
    <td colspan={props.columns}>
      <span class="migline">
        <span class="medium cut" title={visibleText(props.gpu)}>
          {visibleText(props.gpu)}
        </span>
        <span class="tag">MIG</span>
        <span
          class="slices"
          role="img"
          aria-label={props.devices.map((device) => `${profileOf(device)} ${standing(device)}`).join(', ')}
        >
          <For each={props.devices}>
            {(device) => (
              <span
                classList={{
                  busy: healthOf(device).shape === 'ok' && isTaken(device),
                  held: healthOf(device).shape !== 'ok',
                }}
                title={`${profileOf(device)}: ${standing(device)}`}
                style={{ 'flex-grow': numberOf(device.memoryBytes ?? 1) / 1e9 }}
              >
                {profileOf(device)}
              </span>
            )}
          </For>
        </span>
      </span>
    </td>
  </tr>
);
