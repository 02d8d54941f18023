import { Show } from 'solid-js';
import { numberOf } from '@gjm/client/big-int.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import type { Device } from '../../lib/fleet.js';
import { sparkRange } from './spark-path.js';
import { Spark } from './spark.js';
import { toldNow, type TelemetryBook } from './telemetry-history.js';

/** From here on a card slows itself down before long, in °C. */
const hotCelsius = 85;
/** The end of the scale that temperatures are drawn on, in °C. */
const topCelsius = 110;

const percent = (share: number): string => `${Math.round(share * 100)}%`;

interface GaugeProps {
  device: Device;
  book: TelemetryBook;
}

/** How busy it is, and how busy it was for two minutes. */
export const Utilisation = (props: GaugeProps) => {
  const share = () => toldNow(props.device)?.utilisation ?? null;
  const samples = () => props.book.of(props.device.id).utilisation;
  const name = () => {
    const range = sparkRange(samples(), props.book.now());
    return range
      ? `Utilisation of the last 2 minutes: ${percent(range[0])} to ${percent(range[1])}`
      : 'Utilisation';
  };
  return (
    <Show when={share() !== null}>
      <span class="gauge">
        <Spark samples={samples()} now={props.book.now()} most={1} name={name()} tone="run" />
        <span class="num">{percent(share() ?? 0)}</span>
      </span>
    </Show>
  );
};

/** The power that it draws, on one scale for the whole fleet. */
export const Power = (props: GaugeProps) => {
  const watts = () => toldNow(props.device)?.powerWatts ?? null;
  const samples = () => props.book.of(props.device.id).powerWatts;
  const name = () => {
    const range = sparkRange(samples(), props.book.now());
    return range
      ? `Power of the last 2 minutes: ${Math.round(range[0])} to ${Math.round(range[1])} W`
      : 'Power';
  };
  return (
    <Show when={watts() !== null}>
      <span class="gauge">
        <Spark
          samples={samples()}
          now={props.book.now()}
          most={props.book.mostWatts()}
          name={name()}
          tone="calm"
        />
        <span class="num">
          {Math.round(watts() ?? 0)} <small class="faint">W</small>
        </span>
      </span>
    </Show>
  );
};

/** How warm it is, as a level from 0 °C up. */
export const Temperature = (props: { device: Device }) => {
  const told = () => toldNow(props.device)?.temperatureCelsius ?? null;
  const celsius = () => told() ?? 0;
  return (
    <Show when={told() !== null}>
      <span class="gauge warm" classList={{ 'is-wait': celsius() >= hotCelsius }}>
        <i style={{ '--p': `${Math.min(100, (celsius() / topCelsius) * 100).toFixed(0)}%` }} />
        <span class="num">
          {Math.round(celsius())}°{celsius() >= hotCelsius ? ' hot' : ''}
        </span>
      </span>
    </Show>
  );
};

/** A device's memory, and how much of it is in use, in bytes; null where that is not known. */
function memoryOf(device: Device): { total: number; used: number | null } | null {
  const { memoryBytes, memoryFreeBytes } = device;
  if (memoryBytes === null) return null;
  const total = numberOf(memoryBytes);
  if (device.health === 'LOST') return { total, used: null };
  const told = toldNow(device)?.memoryUsedBytes ?? null;
  if (told !== null) return { total, used: numberOf(told) };
  return { total, used: memoryFreeBytes === null ? null : total - numberOf(memoryFreeBytes) };
}

/** Its memory to scale: how much of it is in use. */
export const Memory = (props: { device: Device }) => (
  <Show when={memoryOf(props.device)} fallback={<span class="faint">not measured</span>}>
    {(memory) => (
      <Show when={memory().used !== null} fallback={<span class="num">{sizeOf(memory().total)}</span>}>
        <span class="memcell">
          <span
            class="mem"
            role="img"
            aria-label={`${sizeOf(memory().used ?? 0)} of ${sizeOf(memory().total)} in use`}
          >
            <i
              style={{
                width: `${(((memory().used ?? 0) / Math.max(1, memory().total)) * 100).toFixed(1)}%`,
              }}
            />
          </span>
          <span class="num">
            {sizeOf(memory().used ?? 0)} <small class="faint">/ {sizeOf(memory().total)}</small>
          </span>
        </span>
      </Show>
    )}
  </Show>
);
