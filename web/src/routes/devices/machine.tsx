import { createMemo, For, Index, Show } from 'solid-js';
import { ageOf, clockOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { EngineList } from '../../components/engine-list.js';
import { Icon } from '../../components/icon.js';
import type { Device, Holder, Worker } from '../../lib/fleet.js';
import { devicesInWords, groupDevices } from './device-groups.js';
import { columnsOf, DeviceRow, type Table } from './device-row.js';
import { endOfDrain } from './drain-words.js';
import type { DrainActs } from './drains.js';
import { Slices } from './slices.js';
import type { TelemetryBook } from './telemetry-history.js';

interface MachineProps {
  worker: Worker;
  devices: readonly Device[];
  holders: readonly Holder[];
  book: TelemetryBook;
  /** Null for who may not. */
  acts: DrainActs | null;
  now: number;
}

const Audit = (props: { worker: Worker }) => {
  const offered = () => props.worker.engineAudit.filter((it) => it.offered).length;
  return (
    <details class="audit">
      <summary>
        <Icon name="chevron" />
        Engines: {offered()} of {props.worker.engineAudit.length} offered
      </summary>
      <EngineList engines={props.worker.engineAudit} />
    </details>
  );
};

const DrainAct = (props: Pick<MachineProps, 'worker' | 'devices'> & { acts: DrainActs }) => (
  <Show
    when={props.worker.drain}
    fallback={
      <button
        class="btn sm"
        type="button"
        aria-label={`Drain host ${visibleText(props.worker.name)}`}
        onClick={() =>
          props.acts.ask({ id: props.worker.id, name: props.worker.name, devices: props.devices.length })
        }
      >
        Drain host
      </button>
    }
  >
    <button
      class="btn sm"
      type="button"
      aria-label={`Undrain host ${visibleText(props.worker.name)}`}
      onClick={() => props.acts.undrain(props.worker)}
    >
      Undrain host
    </button>
  </Show>
);

const Head = (props: MachineProps) => {
  const isOnline = () => props.worker.online && props.devices.every(({ worker }) => worker.online);
  return (
    <header>
      <h2 class="cut">{visibleText(props.worker.name)}</h2>
      <span class="faint cut">{visibleText(devicesInWords(props.devices))}</span>
      <Show when={!isOnline()}>
        <span class="is-bad medium">offline</span>
      </Show>
      <span class="grow" />
      <span class="faint t12 desk-only">worker {visibleText(props.worker.version)}</span>
      <Show when={!isOnline()}>
        <span class="faint t12 num">
          last heard {ageOf(props.now - Date.parse(props.worker.lastSeenAt))} ago
        </span>
      </Show>
      <Show when={props.acts}>
        {(acts) => <DrainAct worker={props.worker} devices={props.devices} acts={acts()} />}
      </Show>
    </header>
  );
};

const Columns = (props: { table: Table }) => (
  <thead>
    <tr>
      <th class="c-name">Device</th>
      <th class="c-health">Health</th>
      <th class="c-job">Runs</th>
      <Show when={props.table.isMeasured}>
        <th class="c-util">Utilisation, 2 min</th>
      </Show>
      <th class="c-mem">Memory in use</th>
      <Show when={props.table.isMeasured}>
        <th class="c-temp">Temp.</th>
        <th class="c-power">Power</th>
      </Show>
      <Show when={props.table.acts}>
        <th class="c-act">
          <span class="sr">Acts</span>
        </th>
      </Show>
    </tr>
  </thead>
);

/** One machine: its worker, its devices, and why each engine is offered or not. */
export const Machine = (props: MachineProps) => {
  const holdersOf = (id: string) =>
    props.holders.filter(({ devices }) => devices.some((device) => device.id === id));
  const groups = createMemo(() => groupDevices(props.devices));
  const table = createMemo((): Table => ({
    book: props.book,
    isMeasured: props.devices.some(({ telemetry }) => telemetry !== null),
    acts: props.acts,
    now: props.now,
  }));
  return (
    <section class="host" aria-label={visibleText(props.worker.name)}>
      <Head {...props} />
      <Show when={props.worker.drain}>
        {(drain) => (
          <p class="drained">
            <Icon name="down" />
            <span>
              Drained by an ADMIN since {clockOf(drain().since)}: it takes nothing new.{' '}
              {endOfDrain(drain(), props.now)}
              <Show when={drain().reason}>{(reason) => <> Why: {visibleText(reason())}</>}</Show>
            </span>
          </p>
        )}
      </Show>
      <table class="cards">
        <Columns table={table()} />
        <tbody>
          {/* By place: groups are made anew with each change, and a row that is open must stay so. */}
          <Index each={groups()}>
            {(group) => (
              <>
                <Show when={group().gpu}>
                  {(gpu) => <Slices gpu={gpu()} devices={group().devices} columns={columnsOf(table())} />}
                </Show>
                <For each={group().devices}>
                  {(device) => <DeviceRow device={device} holders={holdersOf(device.id)} table={table()} />}
                </For>
              </>
            )}
          </Index>
        </tbody>
      </table>
      <Audit worker={props.worker} />
    </section>
  );
};
