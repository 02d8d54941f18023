import { For, Show } from 'solid-js';
import { spanOf, timerOf } from '../../lib/times.js';
import { visibleText } from '../../lib/visible-text.js';
import type { JobView } from './job-view.js';

type Attempt = JobView['attempts'][number];

const words: Record<string, string> = {
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  LOST: 'Lost',
  RELEASED: 'Released',
  VOID: 'Never started',
};

function timeOf(attempt: Attempt, now: number): string {
  if (attempt.startedAt === null) return '';
  const started = Date.parse(attempt.startedAt);
  return attempt.finishedAt ? spanOf(Date.parse(attempt.finishedAt) - started) : timerOf(now - started);
}

/** The tries at a job, in order. */
export const Attempts = (props: { attempts: readonly Attempt[]; now: number }) => (
  <Show when={props.attempts.length > 0}>
    <section>
      <div class="sec">
        <h2>Attempts</h2>
      </div>
      <ol class="attempts">
        <For each={props.attempts}>
          {(attempt) => (
            <li>
              <span class="medium num">Attempt {attempt.number}</span>
              <span class="faint cut">
                {visibleText(
                  [...attempt.devices.map(({ name }) => name), attempt.engine ?? '']
                    .filter(Boolean)
                    .join(', '),
                )}
              </span>
              <span class="end">
                {attempt.outcome === null ? 'Running' : (words[attempt.outcome] ?? attempt.outcome)}{' '}
                <span class="faint num">{timeOf(attempt, props.now)}</span>
              </span>
              <Show when={attempt.failure}>
                {(failure) => (
                  <p class="dim">
                    <span class="code is-bad">{failure().code}</span> {visibleText(failure().message)}
                  </p>
                )}
              </Show>
            </li>
          )}
        </For>
      </ol>
    </section>
  </Show>
);
