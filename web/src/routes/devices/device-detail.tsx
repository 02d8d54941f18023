import { For, Show } from 'solid-js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { EngineList, type EngineWord } from '../../components/engine-list.js';
import type { Device } from '../../lib/fleet.js';
import { benchmarkInWords } from './benchmark-words.js';
import { toldNow } from './telemetry-history.js';

/** Its own engines, and why each better one is not among them. */
const enginesOf = (device: Device): EngineWord[] => [
  ...device.engines.map((engine) => ({
    ...{ engine, offered: true, code: null },
    message: 'Passed its self-test on this device.',
  })),
  ...device.engineAudit.map((it) => ({ ...it, offered: false })),
];

/** What a narrow page leaves out of the row, and what only somebody who looks for it wants to know. */
function factsOf(device: Device): [what: string, value: string][] {
  const { temperatureCelsius = null, powerWatts = null } = toldNow(device) ?? {};
  return [
    ...(temperatureCelsius === null ? [] : [pair('temperature', `${Math.round(temperatureCelsius)} °C`)]),
    ...(powerWatts === null ? [] : [pair('power', `${Math.round(powerWatts)} W`)]),
    ...(device.memoryBytes === null ? [] : [pair('memory', sizeOf(device.memoryBytes))]),
    ...(device.slots.length > 1 ? [pair('jobs at once', String(device.slots.length))] : []),
    pair('uid', device.uid),
  ];
}

const pair = (what: string, value: string): [string, string] => [what, value];

/** What there is to know of one device beyond its row. */
export const DeviceDetail = (props: { device: Device }) => (
  <div class="devmore">
    <section>
      <h3 class="medium">Engines</h3>
      <EngineList engines={enginesOf(props.device)} />
    </section>
    <section>
      <h3 class="medium">Last benchmark</h3>
      <Show when={props.device.benchmark} fallback={<p class="faint t12">None was run here.</p>}>
        {(figures) => (
          <dl class="pairs">
            <For each={benchmarkInWords(figures())}>
              {({ what, value }) => (
                <div>
                  <dt>{visibleText(what)}</dt>
                  <dd class="num">{visibleText(value)}</dd>
                </div>
              )}
            </For>
          </dl>
        )}
      </Show>
    </section>
    <section>
      <h3 class="medium">Device</h3>
      <dl class="pairs ids">
        <For each={factsOf(props.device)}>
          {([what, value]) => (
            <div>
              <dt>{what}</dt>
              <dd class="num cut" title={visibleText(value)}>
                {visibleText(value)}
              </dd>
            </div>
          )}
        </For>
      </dl>
    </section>
  </div>
);
