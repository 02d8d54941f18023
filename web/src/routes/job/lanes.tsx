import { createMemo, For, Index, Show } from 'solid-js';
import { StatusMark } from '../../components/status-mark.js';
import { spanOf, timerOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { AttemptFiles } from './attempt-files.js';
import { AttemptNotes } from './attempt-notes.js';
import type { JobView } from './job-view.js';
import { layoutLanes, type Lane, type Segment } from './lanes-layout.js';

const words: Record<string, string> = {
  SUCCEEDED: 'Accepted',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  LOST: 'Lost',
  RELEASED: 'Released',
  VOID: 'Never started',
};
const marks: Record<string, JobView['status']> = {
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  LOST: 'FAILED',
};
const spoken: Record<Segment['look'], string> = {
  wait: 'waited',
  load: 'loaded',
  run: 'runs for',
  done: 'computed',
  lost: 'ran',
  past: 'ran',
  next: '',
};

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;
/** A label is written where its stretch is at least so wide, as a share of the clock. */
const labelled = 0.09;

const Bar = (props: { segment: Segment }) => (
  <div
    class={`sg ${props.segment.look}`}
    title={`${spoken[props.segment.look]} ${props.segment.label}`}
    style={{ left: percent(props.segment.from), width: percent(props.segment.width) }}
  >
    <Show when={props.segment.width >= labelled}>
      <span>{props.segment.label}</span>
    </Show>
  </div>
);

function timeOf({ attempt }: Lane, now: number): string {
  if (!attempt?.startedAt) return '';
  const started = Date.parse(attempt.startedAt);
  return attempt.finishedAt ? spanOf(Date.parse(attempt.finishedAt) - started) : timerOf(now - started);
}

const Outcome = (props: { lane: Lane; now: number }) => {
  const outcome = () => props.lane.attempt?.outcome ?? null;
  const status = () => marks[outcome() ?? ''] ?? (outcome() ? 'CANCELLED' : 'RUNNING');
  const word = () => {
    if (!props.lane.attempt) return 'Waits';
    if (outcome() === null) return props.lane.attempt.startedAt ? 'Runs' : 'Starts';
    return words[outcome() ?? ''] ?? outcome() ?? '';
  };
  return (
    <div class="out">
      <Show when={props.lane.attempt}>
        <StatusMark
          job={{ status: status(), cancelRequestedAt: null, waiting: null, progress: null }}
          word={word()}
        />
      </Show>
      <Show when={props.lane.attempt?.failure}>
        {(failure) => (
          <span class="code is-bad cut" title={visibleText(failure().message)}>
            {failure().code}
          </span>
        )}
      </Show>
      <span class="faint num">{timeOf(props.lane, props.now)}</span>
    </div>
  );
};

const Who = (props: { lane: Lane }) => {
  const where = () => {
    const { devices = [], engine = null } = props.lane.attempt ?? {};
    const words = [...devices.map(({ name }) => name), engine ?? ''].filter(Boolean);
    return visibleText(words.join(', ') || 'to be placed');
  };
  return (
    <div class="who-did">
      <span class="medium num">Attempt {props.lane.number}</span>
      <span class="faint cut" title={where()}>
        {where()}
      </span>
    </div>
  );
};

/** The tries at a job, one lane each, on one clock: waiting, loading, computing, and what came of it. */
export const Lanes = (props: { job: JobView; firstSigns: ReadonlyMap<number, string>; now: number }) => {
  const layout = createMemo(() => layoutLanes(props.job, props.firstSigns, props.now));
  return (
    <Show when={layout().lanes.length > 0}>
      <section class="lanes" aria-label="Attempts">
        <div class="axis" aria-hidden="true">
          <For each={layout().ticks}>
            {(tick) => <span style={{ left: percent(tick.at) }}>{tick.label}</span>}
          </For>
        </div>
        <ol>
          {/* By place: lanes are laid out anew with each second, and a link must stay while somebody is about to use it. */}
          <Index each={layout().lanes}>
            {(lane) => (
              <li>
                <div class="lane">
                  <Who lane={lane()} />
                  <div class="track" role="img" aria-label={laneSentence(lane())}>
                    <For each={layout().ticks}>{(tick) => <i style={{ left: percent(tick.at) }} />}</For>
                    <For each={lane().segments}>{(segment) => <Bar segment={segment} />}</For>
                  </div>
                  <Outcome lane={lane()} now={props.now} />
                </div>
                <Show when={lane().attempt}>{(attempt) => <AttemptNotes attempt={attempt()} />}</Show>
                <AttemptFiles number={lane().number} artifacts={lane().attempt?.artifacts ?? []} />
              </li>
            )}
          </Index>
        </ol>
        <Show when={layout().now !== null}>
          <div class="nowline-wrap" aria-hidden="true">
            <div
              class="nowline"
              classList={{ late: (layout().now ?? 0) > 0.92 }}
              style={{ left: percent(layout().now ?? 0) }}
            />
          </div>
        </Show>
      </section>
    </Show>
  );
};

const laneSentence = (lane: Lane): string =>
  lane.segments
    .filter(({ look }) => look !== 'next')
    .map(({ look, label }) => `${spoken[look]} ${label}`)
    .join(', ') || 'not started';
