import { A, useSearchParams } from '@solidjs/router';
import { For, Show } from 'solid-js';
import type { JobStatus } from '@gjm/client/index.js';
import { ErrorCard } from '../../components/error-card.js';
import { LiveBadge } from '../../components/live-badge.js';
import { createNow } from '../../lib/server-clock.js';
import { createJobList, type JobList } from './job-list.js';
import { JobTableRow } from './job-row.js';
import { NoJobs } from './no-jobs.js';

/** The views of the list; the address keeps which. */
const views: { key: string | undefined; name: string; statuses: readonly JobStatus[] | null }[] = [
  { key: undefined, name: 'All', statuses: null },
  { key: 'running', name: 'Running', statuses: ['RUNNING'] },
  { key: 'queued', name: 'Queued', statuses: ['QUEUED'] },
  { key: 'succeeded', name: 'Succeeded', statuses: ['SUCCEEDED'] },
  { key: 'failed', name: 'Failed', statuses: ['FAILED'] },
  { key: 'cancelled', name: 'Cancelled', statuses: ['CANCELLED'] },
];

const Skeleton = () => (
  <div class="skeleton" aria-hidden="true">
    <For each={Array.from({ length: 8 })}>{() => <div />}</For>
  </div>
);

const Table = (props: { list: JobList; now: number }) => (
  <>
    <table class="jobs">
      <caption class="sr">Jobs, newest first, updating live</caption>
      <thead>
        <tr>
          <th class="c-st">Status</th>
          <th class="c-job">Job</th>
          <th class="c-kind">Kind</th>
          <th class="c-now">Now</th>
          <th class="c-dev">Device</th>
          <th class="c-own">Owner</th>
          <th class="c-age">Age</th>
          <th class="c-dur">Time</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.list.rows()}>{(job) => <JobTableRow job={job} now={props.now} />}</For>
      </tbody>
    </table>
    <Show when={props.list.hasMore()}>
      <div class="more">
        <button
          class="btn"
          type="button"
          disabled={props.list.isLoadingMore()}
          onClick={() => void props.list.loadMore()}
        >
          {props.list.isLoadingMore() ? 'Loading' : 'Load more'}
        </button>
      </div>
    </Show>
  </>
);

/** One view of the list: its own page, its own stream of changes. */
const View = (props: { view: (typeof views)[number]; now: number }) => {
  const list = createJobList(props.view.statuses);
  const none = () => (
    <Show when={props.view.statuses} fallback={<NoJobs />}>
      <p class="page none dim">No job is {props.view.name.toLowerCase()}.</p>
    </Show>
  );
  return (
    <>
      <Show when={list.error()}>
        {(error) => (
          <div class="page">
            <ErrorCard error={error()} retry={list.reload} />
          </div>
        )}
      </Show>
      <Show when={list.isReady()} fallback={<Show when={!list.error()}>{<Skeleton />}</Show>}>
        <Show when={list.rows().length > 0} fallback={none()}>
          <Table list={list} now={props.now} />
        </Show>
      </Show>
    </>
  );
};

/** The live list of jobs. */
export const Jobs = () => {
  const [search] = useSearchParams<{ status?: string }>();
  const view = () => views.find(({ key }) => key === search.status) ?? views[0];
  const now = createNow();
  document.title = 'Jobs · GPU Job Manager';
  return (
    <>
      <header class="top">
        <h1>Jobs</h1>
        <span class="grow" />
        <LiveBadge now={now()} />
        <A class="btn primary desk-only" href="/submit">
          Submit job
        </A>
      </header>
      <nav class="tabs page" aria-label="Views">
        <For each={views}>
          {({ key, name }) => (
            <A
              href={key ? `/jobs?status=${key}` : '/jobs'}
              aria-current={view()?.key === key ? 'page' : undefined}
            >
              {name}
            </A>
          )}
        </For>
      </nav>
      <Show when={view()} keyed>
        {(chosen) => <View view={chosen} now={now()} />}
      </Show>
    </>
  );
};
