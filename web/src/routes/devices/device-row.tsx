import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { numberOf } from '@gjm/client/big-int.js';
import { Icon, kindIcon } from '../../components/icon.js';
import type { Device, Holder } from '../../lib/fleet.js';
import { healthOf, healthSentence } from '../../lib/health.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { estimateOf, timerOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { HealthMark } from './health-mark.js';
import { otherHolders } from './slot-holders.js';

const Memory = (props: { device: Device }) => {
  const known = () => {
    const { memoryBytes, memoryFreeBytes } = props.device;
    if (memoryBytes === null || memoryFreeBytes === null) return null;
    const total = numberOf(memoryBytes);
    return { total, used: total - numberOf(memoryFreeBytes) };
  };
  return (
    <Show when={known()} fallback={<span class="faint">not measured</span>}>
      {(memory) => (
        <span class="memcell">
          <span
            class="mem"
            role="img"
            aria-label={`${sizeOf(memory().used)} of ${sizeOf(memory().total)} in use`}
          >
            <i style={{ width: `${((memory().used / Math.max(1, memory().total)) * 100).toFixed(1)}%` }} />
          </span>
          <span class="num">
            {sizeOf(memory().used)} <small class="faint">/ {sizeOf(memory().total)}</small>
          </span>
        </span>
      )}
    </Show>
  );
};

const others = (props: { device: Device; holders: readonly Holder[] }) =>
  otherHolders(props.device.slots, props.holders);

/** Jobs one may see by name; of the others, who has the slot and for how long. */
const Running = (props: { device: Device; holders: readonly Holder[]; now: number }) => (
  <Show
    when={props.holders.length > 0 || others(props).length > 0}
    fallback={
      <span class={healthOf(props.device).shape === 'ok' ? 'faint' : 'dim wrap'}>
        {healthOf(props.device).shape === 'ok' ? 'Nothing' : visibleText(healthSentence(props.device))}
      </span>
    }
  >
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
  </Show>
);

/** One device: how it is, who has it, what it computes with, and its memory to scale. */
export const DeviceRow = (props: { device: Device; holders: readonly Holder[]; now: number }) => (
  <tr
    classList={{
      held: healthOf(props.device).tone === 'wait',
      gone: healthOf(props.device).tone === 'bad',
    }}
  >
    <td class="c-name">
      <span class="cut block medium" title={visibleText(props.device.uid)}>
        {visibleText(props.device.name)}
      </span>
    </td>
    <td class="c-kind faint">{props.device.kind}</td>
    <td class="c-health">
      <HealthMark device={props.device} />
    </td>
    <td class="c-job">
      <Running {...props} />
    </td>
    <td class="c-eng">
      <For each={props.device.engines} fallback={<span class="faint">no engine</span>}>
        {(engine) => <span class="tag">{engine}</span>}
      </For>
    </td>
    <td class="c-mem">
      <Memory device={props.device} />
    </td>
  </tr>
);
