import { For, Show } from 'solid-js';
import { estimateOf } from '../../lib/times.js';
import { visibleText } from '../../lib/visible-text.js';
import type { JobView } from './job-view.js';

/** Everything that stands between a queued job and a device. */
export const Waiting = (props: { waiting: NonNullable<JobView['waiting']> }) => (
  <section class="page waiting" aria-label="Why it waits">
    <div class="sec">
      <h2>Why it waits</h2>
      <span class="faint num">
        <Show when={props.waiting.position}>{(position) => `place ${position()} in line`}</Show>
        <Show when={props.waiting.etaSeconds}>{(seconds) => `, starts in ${estimateOf(seconds())}`}</Show>
      </span>
    </div>
    <ul>
      <For each={props.waiting.reasons} fallback={<li class="dim">Nothing stands in its way.</li>}>
        {(reason) => (
          <li>
            <span class="code">{reason.code}</span>
            {visibleText(reason.message)}
          </li>
        )}
      </For>
    </ul>
  </section>
);
