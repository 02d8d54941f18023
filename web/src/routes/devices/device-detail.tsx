import { For, Show } from 'solid-js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { EngineList, type EngineWord } from '../../components/engine-list.js';
import type { Device } from '../../lib/fleet.js';
import { benchmarkInWords } from './benchmark-words.js';

/** Its own engines, and why each better one is not among them. */
const enginesOf = (device: Device): EngineWord[] => [
  ...device.engines.map((engine) => ({
    ...{ engine, offered: true, code: null },
    message: 'Passed its self-test on this device.',
  })),
  ...device.engineAudit.map((it) => ({ ...it, offered: false })),
];

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
      <h3 class="medium">Identity</h3>
      <dl class="pairs">
        <div>
          <dt>uid</dt>
          <dd class="mono cut" title={visibleText(props.device.uid)}>
            {visibleText(props.device.uid)}
          </dd>
        </div>
        <Show when={props.device.slots.length > 1}>
          <div>
            <dt>jobs at once</dt>
            <dd class="num">{props.device.slots.length}</dd>
          </div>
        </Show>
      </dl>
    </section>
  </div>
);
