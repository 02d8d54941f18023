import { createEffect, createMemo, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import { createQuery, useClient } from '@urql/solid';
import type { JobRow, JobStatus } from '@gjm/client/index.js';
import { JobsDocument, type JobsQuery } from '@gjm/client/generated/graphql.js';
import { documentOf } from '../../lib/urql.js';
import { useSession } from '../../lib/session.js';
import { applyChange, mergeFirstPage, mergeNextPage } from './job-rows.js';

const pageLength = 50;
/** A place in line changes without any change of the job itself; only reading tells. In ms. */
const waitingMs = 5_000;

/** What the list page shows and can do. */
export interface JobList {
  rows: Accessor<readonly JobRow[]>;
  /** Whether the first page is here. */
  isReady: Accessor<boolean>;
  error: Accessor<unknown>;
  hasMore: Accessor<boolean>;
  isLoadingMore: Accessor<boolean>;
  loadMore: () => Promise<void>;
  reload: () => void;
}

type PageInfo = JobsQuery['jobs']['pageInfo'];

/** Rows that merge: they work on plain rows, and the store then touches only what differs, so that rows keep their elements. */
function createRows() {
  const [store, setStore] = createStore<{ rows: JobRow[] }>({ rows: [] });
  const change = (merge: (rows: JobRow[]) => JobRow[]): void =>
    setStore('rows', reconcile(merge(untrack(() => unwrap(store.rows))), { key: 'id' }));
  return { store, change };
}

/** Asks again every now and then while something waits and somebody looks. */
function createWaitingPoll(isWaiting: Accessor<boolean>, read: () => void): void {
  createEffect(() => {
    if (!isWaiting()) return;
    const timer = setInterval(() => document.hidden || read(), waitingMs);
    onCleanup(() => clearInterval(timer));
  });
}

/**
 * The list of jobs with these statuses (null: all), kept current: a page read by urql, moved on by live changes, read again whenever
 * changes may have been missed. For as long as its owner lives; another view of the list is another one of these.
 */
export function createJobList(statuses: readonly JobStatus[] | null): JobList {
  const { client } = useSession();
  const urql = useClient();
  const filter = statuses ? { status: [...statuses] } : null;
  const { store, change } = createRows();
  const [end, setEnd] = createSignal<PageInfo | null>(null);
  const [error, setError] = createSignal<unknown>(null);
  const [isLoadingMore, setLoadingMore] = createSignal(false);
  const hasMore = () => end()?.hasNextPage ?? false;
  const [first, reread] = createQuery({
    query: documentOf(JobsDocument),
    variables: { filter, first: pageLength },
  });
  const reload = (): void => reread({ requestPolicy: 'network-only' });

  createEffect(() => {
    if (first.fetching) return;
    setError(first.error ?? null);
    if (!first.data || first.error) return;
    const { nodes, pageInfo } = structuredClone(unwrap(first.data.jobs));
    change((rows) => mergeFirstPage(rows, { nodes, hasNextPage: pageInfo.hasNextPage }));
    // Later pages stay loaded: their end stands until they are asked to go on.
    if (untrack(() => store.rows.length) <= nodes.length || !untrack(end)) setEnd(pageInfo);
  });

  const stop = new AbortController();
  onCleanup(() => stop.abort());
  const follow = async (): Promise<void> => {
    for await (const live of client.watchJobs(filter, { signal: stop.signal }))
      if (live.kind === 'read-again') reload();
      else change((rows) => applyChange(rows, live.value, { statuses, hasMore: untrack(hasMore) }));
  };
  follow().catch((fault: unknown) => stop.signal.aborted || setError(fault));
  createWaitingPoll(
    createMemo(() => store.rows.some(({ status }) => status === 'QUEUED')),
    reload,
  );

  const loadMore = async (): Promise<void> => {
    setLoadingMore(true);
    const variables = { filter, first: pageLength, after: end()?.endCursor ?? null };
    const { data, error: fault } = await urql.query(documentOf(JobsDocument), variables).toPromise();
    if (data) {
      const { nodes, pageInfo } = data.jobs;
      change((rows) => mergeNextPage(rows, { nodes, hasNextPage: pageInfo.hasNextPage }));
      setEnd(pageInfo);
    }
    setError(fault ?? null);
    setLoadingMore(false);
  };
  const isReady = () => end() !== null;
  return { rows: () => store.rows, isReady, error, hasMore, isLoadingMore, loadMore, reload };
}
