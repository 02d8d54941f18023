import { A, useLocation } from '@solidjs/router';
import { createMemo, For, Show } from 'solid-js';
import { ErrorCard } from '../../components/error-card.js';
import { Icon } from '../../components/icon.js';
import { Kbd } from '../../components/kbd.js';
import { LiveBadge } from '../../components/live-badge.js';
import { useKeys } from '../../lib/keys.js';
import { createNow } from '../../lib/server-clock.js';
import { createCancelAt } from './cancel-at.js';
import { createCursor } from './cursor.js';
import { FilterBar } from './filter-bar.js';
import { createJobList, type JobList } from './job-list.js';
import { JobTable } from './job-table.js';
import { addressOf, isNarrow, readFilter, type ListFilter } from './list-filter.js';
import { NoJobs } from './no-jobs.js';

const Skeleton = () => (
  <div class="skrows" aria-hidden="true">
    <For each={Array.from({ length: 12 })}>
      {() => (
        <div>
          <i class="sk" />
          <i class="sk" />
          <i class="sk" />
          <i class="sk" />
        </div>
      )}
    </For>
  </div>
);

/** New rows wait here until they are asked for. */
const NewPill = (props: { list: JobList }) => (
  <div class="pillrow" role="status">
    <Show when={props.list.waiting() > 0}>
      <button class="newpill" type="button" onClick={() => props.list.showWaiting()}>
        <Icon name="up" />
        {props.list.waiting() === 1 ? '1 new job' : `${props.list.waiting()} new jobs`}
        <Kbd keys="." />
      </button>
    </Show>
  </div>
);

const NoMatch = () => (
  <div class="page none">
    <h2>No job matches</h2>
    <p class="dim">Nothing of what you may see passes these filters.</p>
    <A class="btn" href="/jobs">
      Clear the filters
    </A>
  </div>
);

const hints: readonly [keys: string, does: string][] = [
  ['j k', 'move'],
  ['enter', 'open'],
  ['c', 'cancel'],
  ['n', 'submit'],
  ['/', 'search'],
  ['?', 'all keys'],
];

const Foot = (props: { list: JobList }) => (
  <footer class="foot desk-only">
    <For each={hints}>
      {([keys, does]) => (
        <span class="hint">
          <Kbd keys={keys} /> {does}
        </span>
      )}
    </For>
    <span class="grow" />
    <Show when={props.list.rows().length > 0}>
      <span class="num">
        {props.list.rows().length.toLocaleString('en')}
        {props.list.hasMore() ? ' shown' : ''}, newest first
      </span>
    </Show>
  </footer>
);

/** The list behind one filter: its own page, its own stream of changes. */
const View = (props: { filter: ListFilter; now: number }) => {
  const list = createJobList(props.filter);
  const cursor = createCursor(list.rows);
  const { ask, Question } = createCancelAt(cursor.job);
  useKeys([
    { keys: '.', does: 'Show new jobs', run: list.showWaiting },
    { keys: 'c', does: 'Cancel the job at the cursor', run: ask },
    { keys: 'k', does: 'Previous job', run: cursor.previous },
    { keys: 'j', does: 'Next job', run: cursor.next },
  ]);
  return (
    <>
      <NewPill list={list} />
      <Show when={list.error()}>
        {(error) => (
          <div class="page">
            <ErrorCard error={error()} retry={list.reload} />
          </div>
        )}
      </Show>
      <Show when={list.isReady()} fallback={<Show when={!list.error()}>{<Skeleton />}</Show>}>
        <Show when={list.rows().length > 0} fallback={isNarrow(props.filter) ? <NoMatch /> : <NoJobs />}>
          <JobTable list={list} now={props.now} cursor={cursor} />
        </Show>
      </Show>
      <Question />
      <Foot list={list} />
    </>
  );
};

/** The live list of jobs. */
export const Jobs = () => {
  const location = useLocation();
  const address = createMemo(() => addressOf(readFilter(location.search)));
  const now = createNow();
  document.title = 'Jobs · GPU Job Manager';
  return (
    <>
      <header class="top">
        <h1>Jobs</h1>
        <span class="grow" />
        <LiveBadge now={now()} />
        <A class="btn primary desk-only" href="/submit">
          Submit job <Kbd keys="n" />
        </A>
      </header>
      <FilterBar filter={readFilter(location.search)} />
      <Show when={address()} keyed>
        {(shown) => <View filter={readFilter(new URL(shown, origin).search)} now={now()} />}
      </Show>
    </>
  );
};
