import { For, Show } from 'solid-js';
import { Icon } from '../../components/icon.js';
import type { Device, Holder, Worker } from '../../lib/fleet.js';
import { ageOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { DeviceRow } from './device-row.js';

const Audit = (props: { worker: Worker }) => {
  const offered = () => props.worker.engineAudit.filter((it) => it.offered).length;
  return (
    <details class="audit">
      <summary>
        <Icon name="chevron" />
        Engines: {offered()} of {props.worker.engineAudit.length} offered
      </summary>
      <ul>
        <For each={props.worker.engineAudit}>
          {(it) => (
            <li>
              <Icon name={it.offered ? 'check' : 'cross'} class={it.offered ? 'is-ok' : 'is-idle'} />
              <span class="medium">
                {visibleText(it.engine)}
                <span class="sr">{it.offered ? ' offered' : ' skipped'}</span>
              </span>
              <span class="faint num">{visibleText(it.version ?? '')}</span>
              <span>
                <Show when={it.code}>{(code) => <span class="code faint">{visibleText(code())} </span>}</Show>
                {visibleText(it.message)}
              </span>
            </li>
          )}
        </For>
      </ul>
    </details>
  );
};

/** One machine: its worker, its devices, and why each engine is offered or not. */
export const Machine = (props: {
  worker: Worker;
  devices: readonly Device[];
  holders: readonly Holder[];
  now: number;
}) => {
  const holdersOf = (id: string) =>
    props.holders.filter(({ devices }) => devices.some((device) => device.id === id));
  const isOnline = () => props.worker.online && props.devices.every(({ worker }) => worker.online);
  return (
    <section class="host" aria-label={visibleText(props.worker.name)}>
      <header>
        <h2 class="cut">{visibleText(props.worker.name)}</h2>
        <Show when={!isOnline()}>
          <span class="is-bad medium">offline</span>
        </Show>
        <span class="grow" />
        <span class="faint t12">worker {visibleText(props.worker.version)}</span>
        <Show when={!isOnline()}>
          <span class="faint t12 num">
            last heard {ageOf(props.now - Date.parse(props.worker.lastSeenAt))} ago
          </span>
        </Show>
      </header>
      <table class="cards">
        <thead>
          <tr>
            <th class="c-name">Device</th>
            <th class="c-kind">Kind</th>
            <th class="c-health">Health</th>
            <th class="c-job">Runs</th>
            <th class="c-eng">Engines</th>
            <th class="c-mem">Memory in use</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.devices}>
            {(device) => <DeviceRow device={device} holders={holdersOf(device.id)} now={props.now} />}
          </For>
        </tbody>
      </table>
      <Audit worker={props.worker} />
    </section>
  );
};
