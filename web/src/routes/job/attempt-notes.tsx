import { For, Show } from 'solid-js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { EngineList } from '../../components/engine-list.js';
import { Icon } from '../../components/icon.js';
import type { JobView } from './job-view.js';
import { usageFacts } from './usage-facts.js';

type Attempt = JobView['attempts'][number];

/** Why no better engine was taken, folded away: mostly it is as one expects. */
const PassedOver = (props: { audit: Attempt['audit'] }) => (
  <details class="passed-over">
    <summary>
      <Icon name="chevron" />
      {visibleText(
        `Why ${props.audit.usedEngine} and not ${props.audit.skipped.map(({ engine }) => engine).join(', ')}`,
      )}
    </summary>
    <EngineList engines={props.audit.skipped.map((it) => ({ ...it, offered: false }))} />
  </details>
);

/** What an attempt took of its devices, as whom a program ran there, and why on this engine. Nothing where nothing is to be said. */
export const AttemptNotes = (props: { attempt: Attempt }) => {
  const isNoted = () => {
    const { usage, containment, audit } = props.attempt;
    return usage !== null || containment !== null || audit.skipped.length > 0;
  };
  return (
    <Show when={isNoted()}>
      <div class="attempt-notes">
        <Show when={props.attempt.usage}>
          {(usage) => (
            <dl class="took" aria-label={`What attempt ${props.attempt.number} took`}>
              <For each={usageFacts(usage())}>
                {({ name, value }) => (
                  <div>
                    <dt>{name}</dt>
                    <dd class="num">{value}</dd>
                  </div>
                )}
              </For>
              <Show when={usage().isEstimate}>
                <div>
                  <dt>an estimate:</dt>
                  <dd>the device was shared</dd>
                </div>
              </Show>
            </dl>
          )}
        </Show>
        <Show when={props.attempt.containment}>{(says) => <p>{visibleText(says())}</p>}</Show>
        <Show when={props.attempt.audit.skipped.length > 0}>
          <PassedOver audit={props.attempt.audit} />
        </Show>
      </div>
    </Show>
  );
};
