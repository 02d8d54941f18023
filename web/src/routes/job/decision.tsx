import { createMemo, For, Show } from 'solid-js';
import type { JobDetails } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { readDecision, type Candidate, type Check } from './decision-data.js';

const counted = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`;

const Candidates = (props: { candidates: readonly Candidate[] }) => (
  <ul class="weighed">
    <For each={props.candidates}>
      {(it) => (
        <li classList={{ chosen: it.isChosen, out: it.block !== null }}>
          <Icon name={it.isChosen ? 'check' : it.block ? 'cross' : 'plain'} />
          <span class="cut">
            {visibleText(it.name)} <span class="faint">{visibleText(it.machine)}</span>
          </span>
          <span class="num faint">{it.score === null ? '' : it.score.toFixed(2)}</span>
          <Show when={it.block}>
            {(block) => (
              <p class="faint">
                <span class="code">{block().code}</span> {visibleText(block().message)}
              </p>
            )}
          </Show>
        </li>
      )}
    </For>
  </ul>
);

const Checks = (props: { checks: readonly Check[] }) => (
  <ul class="weighed">
    <For each={props.checks}>
      {(check) => (
        <li>
          <Icon name={check.passed ? 'check' : 'cross'} class={check.passed ? 'is-ok' : 'is-bad'} />
          <span class="cut">
            {visibleText(check.name)}
            <span class="sr">{check.passed ? ' passed' : ' failed'}</span>
          </span>
          <span class="faint cut">{visibleText(check.saw)}</span>
        </li>
      )}
    </For>
  </ul>
);

/** What a decision was made from, folded away under what it comes to. */
export const DecisionDetail = (props: { decision: JobDetails['decisions'][number] }) => {
  const facts = createMemo(() => readDecision(props.decision.data));
  const says = () => {
    const { candidates, checks } = facts();
    if (candidates.length > 0) {
      const fit = candidates.filter(({ block }) => block === null).length;
      return `${counted(candidates.length, 'device')} weighed, ${fit} eligible`;
    }
    if (checks.length > 0)
      return `${counted(checks.length, 'check')}, ${checks.filter((it) => it.passed).length} passed`;
    return 'Details';
  };
  return (
    <details class="detail">
      <summary>
        <span class="link">{says()}</span>
      </summary>
      <Candidates candidates={facts().candidates} />
      <Checks checks={facts().checks} />
      <dl class="pairs">
        <For each={facts().others}>
          {([name, value]) => (
            <div>
              <dt>{visibleText(name)}</dt>
              <dd>{visibleText(value)}</dd>
            </div>
          )}
        </For>
        <Show when={props.decision.policyVersion}>
          {(version) => (
            <div>
              <dt>policy</dt>
              <dd class="mono">{visibleText(version())}</dd>
            </div>
          )}
        </Show>
      </dl>
    </details>
  );
};
