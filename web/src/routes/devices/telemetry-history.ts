import { createEffect, createSignal, untrack, type Accessor } from 'solid-js';
import { useFleet, type Device } from '../../lib/fleet.js';
import { everyMs } from '../../lib/interval.js';
import { addSample, type Sample } from './samples.js';

/** What one device told since the page was opened, oldest first. */
interface History {
  /** 0 to 1. */
  utilisation: readonly Sample[];
  powerWatts: readonly Sample[];
}

export interface TelemetryBook {
  of: (deviceId: string) => History;
  /** Where the lines end now, by the clock of the samples. */
  now: Accessor<number>;
  /** The most power that any device was seen to draw: one scale for all of them. */
  mostWatts: Accessor<number>;
}

/** Lines move on so often, in ms. */
const stepMs = 1_000;

const none: History = { utilisation: [], powerWatts: [] };

/** What a device tells now. One of a worker that is not heard from tells nothing, whatever it said last. */
export const toldNow = (device: Device) => (device.worker.online ? device.telemetry : null);

/** Writes down what devices tell for as long as the page lives; there is no history from before it was opened. */
export function recordTelemetry(): TelemetryBook {
  const { fleet } = useFleet();
  const [histories, setHistories] = createSignal<ReadonlyMap<string, History>>(new Map());
  const [now, setNow] = createSignal(performance.now());
  createEffect(() => {
    const at = performance.now();
    const before = untrack(histories);
    const grown = (device: Device): History => {
      const { utilisation, powerWatts } = before.get(device.id) ?? none;
      const told = toldNow(device);
      return {
        utilisation: addSample(utilisation, at, told?.utilisation ?? null),
        powerWatts: addSample(powerWatts, at, told?.powerWatts ?? null),
      };
    };
    setHistories(new Map(fleet.devices.map((device) => [device.id, grown(device)])));
    setNow(at);
  });
  everyMs(stepMs, () => setNow(performance.now()));
  const watts = () => [...histories().values()].flatMap((it) => it.powerWatts.map(({ value }) => value ?? 0));
  return { of: (id) => histories().get(id) ?? none, now, mostWatts: () => Math.max(1, ...watts()) };
}
