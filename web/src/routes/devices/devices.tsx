import { createSignal, For, onCleanup, Show } from 'solid-js';
import { CopyCommand } from '../../components/copy-command.js';
import { ErrorCard } from '../../components/error-card.js';
import { LiveBadge } from '../../components/live-badge.js';
import { useFleet } from '../../lib/fleet.js';
import { everyMs } from '../../lib/interval.js';
import { createNow } from '../../lib/server-clock.js';
import { useSession } from '../../lib/session.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import '../../styles/gauges.css';
import '../../styles/devices.css';
import { AddMachine } from './add-machine.js';
import { DrainDialog } from './drain-dialog.js';
import { createDrains } from './drains.js';
import { fleetFacts } from './fleet-facts.js';
import { Machine } from './machine.js';
import { recordTelemetry } from './telemetry-history.js';

/** Which job runs where is read; only devices tell of themselves. In ms. */
const holdersMs = 3_000;

/** Follows the devices live for as long as the page lives. */
function followDevices(): () => unknown {
  const { client } = useSession();
  const { change, reload } = useFleet();
  const [error, setError] = createSignal<unknown>(null);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  const follow = async (): Promise<void> => {
    for await (const live of client.watchDevices({ signal: stop.signal }))
      if (live.kind === 'read-again') reload();
      else change(live.value);
  };
  follow().catch((fault: unknown) => stop.signal.aborted || setError(fault));
  everyMs(holdersMs, reload);
  return error;
}

const Facts = () => {
  const { fleet } = useFleet();
  const facts = () => fleetFacts(fleet);
  return (
    <dl class="facts flush">
      <div>
        <dt>Devices</dt>
        <dd>
          {facts().devices}{' '}
          <small>
            on {facts().machines} {facts().machines === 1 ? 'machine' : 'machines'}
          </small>
        </dd>
      </div>
      <div>
        <dt>Open for work</dt>
        <dd>{facts().open}</dd>
      </div>
      <div>
        <dt>Held back</dt>
        <dd classList={{ 'is-wait': facts().held > 0 }}>
          {facts().held} <small>{facts().heldAs.join(', ').toLowerCase()}</small>
        </dd>
      </div>
      <div>
        <dt>Running, yours</dt>
        <dd>{fleet.holders.length}</dd>
      </div>
      <Show when={facts().freeBytes}>
        {(bytes) => (
          <div>
            <dt>Memory free</dt>
            <dd>{sizeOf(bytes())}</dd>
          </div>
        )}
      </Show>
    </dl>
  );
};

const Nothing = () => (
  <div class="page none">
    <h2>No machine has joined yet</h2>
    <p class="dim">
      Jobs wait until one does. On this machine one command starts a worker beside the server:
    </p>
    <CopyCommand command="npm run up" />
  </div>
);

/** All machines and their devices, live. */
export const Devices = () => {
  const { standing } = useSession();
  const { fleet, isKnown, error, reload } = useFleet();
  const now = createNow();
  const liveError = followDevices();
  const book = recordTelemetry();
  const drains = createDrains();
  const fault = () => error() ?? liveError();
  const isAdmin = () => {
    const who = standing();
    return who.is === 'in' && who.viewer.role === 'ADMIN';
  };
  document.title = 'Devices · GPU Job Manager';
  return (
    <>
      <header class="top">
        <h1>Devices</h1>
        <span class="grow" />
        <LiveBadge now={now()} />
        <Show when={isAdmin()}>
          <AddMachine />
        </Show>
      </header>
      <Show when={fault()}>
        {(it) => (
          <div class="page">
            <ErrorCard error={it()} retry={reload} />
          </div>
        )}
      </Show>
      <Show when={isKnown()} fallback={<i class="sk fleet-sk" aria-hidden="true" />}>
        <Facts />
        <For each={fleet.workers} fallback={<Nothing />}>
          {(worker) => (
            <Machine
              worker={worker}
              devices={fleet.devices.filter((device) => device.worker.id === worker.id)}
              holders={fleet.holders}
              book={book}
              acts={isAdmin() ? drains.acts : null}
              now={now()}
            />
          )}
        </For>
      </Show>
      <DrainDialog target={drains.target()} send={drains.drain} onClose={drains.close} />
    </>
  );
};
