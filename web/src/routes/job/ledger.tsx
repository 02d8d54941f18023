import { For } from 'solid-js';
import type { JobDetails, JobEvent } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { clockOf } from '../../lib/times.js';
import { visibleText } from '../../lib/visible-text.js';
import { ledgerEntries, type LedgerEntry } from './ledger-entries.js';

const iconOf = (entry: LedgerEntry) => {
  if (entry.tone === 'ok') return 'check';
  if (entry.tone === 'bad') return 'cross';
  return entry.stage === 'Scheduler' ? 'place' : 'plain';
};

/** What was decided about the job and what became of it, newest first, one sentence each. */
export const Ledger = (props: { decisions: JobDetails['decisions']; story: readonly JobEvent[] }) => (
  <section>
    <div class="sec">
      <h2>Decisions</h2>
    </div>
    <ol class="ledger">
      <For
        each={ledgerEntries(props.decisions, props.story)}
        fallback={<li class="dim">Nothing has been decided yet.</li>}
      >
        {(entry) => (
          <li>
            <span class={`pin is-${entry.tone}`}>
              <Icon name={iconOf(entry)} />
            </span>
            <div class="t12 faint">
              <span class="medium dim">{entry.stage}</span>{' '}
              <time class="num" dateTime={entry.at}>
                {clockOf(entry.at)}
              </time>
            </div>
            <p>{visibleText(entry.text)}</p>
          </li>
        )}
      </For>
    </ol>
  </section>
);
