import { For } from 'solid-js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import type { JobView } from './job-view.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What the job was asked to do, as it was asked, defaults included. */
export const Params = (props: { job: JobView }) => (
  <section>
    <div class="sec">
      <h2>Params</h2>
    </div>
    <dl class="pairs lined">
      <For each={Object.entries(props.job.params)} fallback={<p class="dim">None.</p>}>
        {([name, value]) => (
          <div>
            <dt>{visibleText(name)}</dt>
            <dd class="mono cut" title={visibleText(textOf(value))}>
              {visibleText(textOf(value))}
            </dd>
          </div>
        )}
      </For>
    </dl>
  </section>
);
