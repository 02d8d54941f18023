import { createSignal, createUniqueId, Show } from 'solid-js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Icon } from '../../components/icon.js';
import type { Device, Holder } from '../../lib/fleet.js';
import { healthOf } from '../../lib/health.js';
import { DeviceDetail } from './device-detail.js';
import { sliceOf } from './device-groups.js';
import type { DrainActs } from './drains.js';
import { Memory, Power, Temperature, Utilisation } from './gauges.js';
import { HealthMark } from './health-mark.js';
import { Running } from './running.js';
import type { TelemetryBook } from './telemetry-history.js';

/** What the rows of one table have in common. */
export interface Table {
  book: TelemetryBook;
  /** Whether any of its devices tells how it does: else there are no columns for that. */
  isMeasured: boolean;
  /** Null for who may not. */
  acts: DrainActs | null;
  now: number;
}

export const columnsOf = ({ isMeasured, acts }: Table): number => 4 + (isMeasured ? 3 : 0) + (acts ? 1 : 0);

const Act = (props: { device: Device; acts: DrainActs }) => (
  <Show
    when={props.device.drain}
    fallback={
      <button
        class="btn sm ghost"
        type="button"
        aria-label={`Drain ${visibleText(props.device.name)}`}
        onClick={() => props.acts.ask({ id: props.device.id, name: props.device.name, devices: null })}
      >
        Drain
      </button>
    }
  >
    <button
      class="btn sm"
      type="button"
      aria-label={`Undrain ${visibleText(props.device.name)}`}
      onClick={() => props.acts.undrain(props.device)}
    >
      Undrain
    </button>
  </Show>
);

const Name = (props: { device: Device; isOpen: boolean; detailId: string; onToggle: () => void }) => {
  const name = () => sliceOf(props.device)?.profile ?? props.device.name;
  return (
    <button
      class="devname"
      type="button"
      aria-expanded={props.isOpen}
      aria-controls={props.detailId}
      title={visibleText(props.device.name)}
      onClick={() => props.onToggle()}
    >
      <Icon name="chevron" />
      <span class="cut block medium">{visibleText(name())}</span>
      <span class="cut block faint t11">
        {[props.device.kind, ...props.device.engines].map(visibleText).join(' · ')}
      </span>
    </button>
  );
};

/** One device: how it is, who has it, how busy, warm and full it is; opened, what it computes with and how fast. */
export const DeviceRow = (props: { device: Device; holders: readonly Holder[]; table: Table }) => {
  const [isOpen, setOpen] = createSignal(false);
  const detailId = createUniqueId();
  return (
    <>
      <tr
        classList={{
          held: healthOf(props.device).tone === 'wait',
          gone: healthOf(props.device).tone === 'bad',
          slice: sliceOf(props.device) !== null,
        }}
      >
        <td class="c-name">
          <Name
            device={props.device}
            isOpen={isOpen()}
            detailId={detailId}
            onToggle={() => setOpen(!isOpen())}
          />
        </td>
        <td class="c-health">
          <HealthMark device={props.device} />
        </td>
        <td class="c-job">
          <Running device={props.device} holders={props.holders} now={props.table.now} />
        </td>
        <Show when={props.table.isMeasured}>
          <td class="c-util">
            <Utilisation device={props.device} book={props.table.book} />
          </td>
        </Show>
        <td class="c-mem">
          <Memory device={props.device} />
        </td>
        <Show when={props.table.isMeasured}>
          <td class="c-temp">
            <Temperature device={props.device} />
          </td>
          <td class="c-power">
            <Power device={props.device} book={props.table.book} />
          </td>
        </Show>
        <Show when={props.table.acts}>
          {(acts) => (
            <td class="c-act">
              <Act device={props.device} acts={acts()} />
            </td>
          )}
        </Show>
      </tr>
      <tr class="opened" id={detailId} hidden={!isOpen()}>
        <td colspan={columnsOf(props.table)}>
          <Show when={isOpen()}>
            <DeviceDetail device={props.device} />
          </Show>
        </td>
      </tr>
    </>
  );
};
