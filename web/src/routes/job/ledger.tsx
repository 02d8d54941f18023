import { createMemo, For, Show } from 'solid-js';
import type { JobDetails, JobEvent, JobStatus } from '@gjm/client/index.js';
import { Icon, type IconName } from '../../components/icon.js';
import { StatusMark } from '../../components/status-mark.js';
import { clockOf } from '@gjm/core/text/times.js';
import { momentInFull } from '../../lib/moment.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { DecisionDetail } from './decision.js';
import { ledgerEntries, type LedgerEntry } from './ledger-entries.js';

const icons: Record<string, IconName> = {
  Planner: 'steps',
  Scheduler: 'place',
  Executor: 'again',
  Evaluator: 'scale',
};

const Pin = (props: { entry: LedgerEntry }) => (
  <span class="pin">
    <Show when={props.entry.status} fallback={<Icon name={icons[props.entry.stage] ?? 'person'} />}>
      {(status) => (
        <StatusMark
          job={{ status: status() as JobStatus, cancelRequestedAt: null, waiting: null, progress: null }}
          word=""
          still
        />
      )}
    </Show>
  </span>
);

const Entry = (props: { entry: LedgerEntry }) => (
  <li>
    <Pin entry={props.entry} />
    <div class="when">
      <span class="stage">{visibleText(props.entry.stage)}</span>
      <time class="num" dateTime={props.entry.at} title={momentInFull(props.entry.at)}>
        {clockOf(props.entry.at)}
      </time>
    </div>
    <p>{visibleText(props.entry.text)}</p>
    <Show when={props.entry.decision}>{(decision) => <DecisionDetail decision={decision()} />}</Show>
  </li>
);

/** What was decided about the job and what became of it, newest first, one sentence each; what it was made from is one step away. */
export const Ledger = (props: { decisions: JobDetails['decisions']; story: readonly JobEvent[] }) => {
  const entries = createMemo(
    () => new Map(ledgerEntries(props.decisions, props.story).map((it) => [it.key, it])),
  );
  // By key: an entry that is opened stays open when another comes.
  const keys = createMemo(() => [...entries().keys()], undefined, {
    equals: (a, b) => a.join() === b.join(),
  });
  return (
    <section>
      <div class="sec">
        <h2>Decisions and events</h2>
      </div>
      <ol class="ledger">
        <For each={keys()} fallback={<li class="dim">Nothing has been decided yet.</li>}>
          {(key) => <Show when={entries().get(key)}>{(entry) => <Entry entry={entry()} />}</Show>}
        </For>
      </ol>
    </section>
  );
};
