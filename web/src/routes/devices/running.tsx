import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { estimateOf, timerOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Icon, kindIcon } from '../../components/icon.js';
import type { Device, Holder } from '../../lib/fleet.js';
import { healthOf, healthSentence } from '../../lib/health.js';
import { endOfDrain } from './drain-words.js';
import { otherHolders } from './slot-holders.js';

interface RunningProps {
  device: Device;
  holders: readonly Holder[];
  now: number;
}

const others = (props: RunningProps) => otherHolders(props.device.slots, props.holders);

/** Jobs one may see by name; of the others, who has the slot and for how long. */
const Holders = (props: RunningProps) => (
  <ul class="holders">
    <For each={props.holders}>
      {(job) => (
        <li>
          <Icon name={kindIcon(job.kind)} />
          <A class="cut medium" href={`/jobs/${job.id}`}>
            {visibleText(job.name)}
          </A>
          <span class="faint cut">{visibleText(job.owner.name)}</span>
          <Show when={job.startedAt}>
            {(startedAt) => <span class="num end">{timerOf(props.now - Date.parse(startedAt()))}</span>}
          </Show>
        </li>
      )}
    </For>
    <For each={others(props)}>
      {(slot) => (
        <li>
          <Icon name="user" />
          <span class="faint cut">{visibleText(slot.holderName)}</span>
          <Show when={slot.etaSeconds}>
            {(seconds) => <span class="faint num">{estimateOf(seconds())} left</span>}
          </Show>
          <Show when={slot.busySince}>
            {(since) => <span class="num end">{timerOf(props.now - Date.parse(since()))}</span>}
          </Show>
        </li>
      )}
    </For>
  </ul>
);

/** Who has the device, and what is to be said of one that is not OK, whoever has it. */
export const Running = (props: RunningProps) => {
  const isTaken = () => props.holders.length > 0 || others(props).length > 0;
  const isOk = () => healthOf(props.device).shape === 'ok';
  return (
    <>
      <Show when={isTaken()}>
        <Holders {...props} />
      </Show>
      <Show when={!isOk()}>
        <span class="dim wrap">
          {visibleText(healthSentence(props.device))}
          <Show when={props.device.worker.online && props.device.drain}>
            {(drain) => ` ${endOfDrain(drain(), props.now)}`}
          </Show>
        </span>
      </Show>
      <Show when={isOk() && !isTaken()}>
        <span class="faint">Nothing</span>
      </Show>
    </>
  );
};
