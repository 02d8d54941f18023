import { createEffect, createMemo, createSignal, on, onCleanup, untrack, type Accessor } from 'solid-js';
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
  rows: readonly JobRow[];
  /** Whether the first page is here. */
  isReady: Accessor<boolean>;
  error: Accessor<unknown>;
  hasMore: Accessor<boolean>;
  isLoadingMore: Accessor<boolean>;
  loadMore(): Promise<void>;
  reload(): void;
}

/**
 * The list of jobs with these statuses (null: all), kept current: a page read by urql, moved on by live changes, read again whenever
 * changes may have been missed.
 */
export function createJobList(statuses: Accessor<readonly JobStatus[] | null>): JobList {
  const { client } = useSession();
  const urql = useClient();
  const filter = () => {
    const wanted = statuses();
    return wanted ? { status: [...wanted] } : null;
  };
  const [store, setStore] = createStore<{ rows: JobRow[] }>({ rows: [] });
  const [end, setEnd] = createSignal<JobsQuery['jobs']['pageInfo'] | null>(null);
  const [error, setError] = createSignal<unknown>(null);
  const [isLoadingMore, setLoadingMore] = createSignal(false);
  const hasMore = () => end()?.hasNextPage ?? false;
  // Merging works on plain rows; the store then touches only what differs, so that rows keep their elements.
  const change = (merge: (rows: JobRow[]) => JobRow[]): void =>
    setStore('rows', reconcile(merge(untrack(() => unwrap(store.rows))), { key: 'id' }));

  const [first, reread] = createQuery({
    query: documentOf(JobsDocument),
    variables: () => ({ filter: filter(), first: pageLength }),
  });
  createEffect(
    on(statuses, () => {
      change(() => []);
      setEnd(null);
    }),
  );
  createEffect(() => {
    if (first.fetching) return;
    setError(first.error ?? null);
    const page = first.data?.jobs;
    if (!page || first.error) return;
    const plain = structuredClone(unwrap(page));
    change((rows) => mergeFirstPage(rows, { nodes: plain.nodes, hasNextPage: plain.pageInfo.hasNextPage }));
    // Later pages stay loaded: their end stands until they are asked to go on.
    if (untrack(() => store.rows.length) <= plain.nodes.length || !untrack(end)) setEnd(plain.pageInfo);
  });
  createEffect(() => {
    const stop = new AbortController();
    const wanted = statuses();
    void (async () => {
      for await (const live of client.watchJobs(filter(), { signal: stop.signal })) {
        if (live.kind === 'read-again') reread({ requestPolicy: 'network-only' });
        else change((rows) => applyChange(rows, live.value, { statuses: wanted, hasMore: untrack(hasMore) }));
      }
    })().catch((fault: unknown) => stop.signal.aborted || setError(fault));
    onCleanup(() => stop.abort());
  });

  const hasQueued = createMemo(() => store.rows.some(({ status }) => status === 'QUEUED'));
  createEffect(() => {
    if (!hasQueued()) return;
    const timer = setInterval(() => document.hidden || reread({ requestPolicy: 'network-only' }), waitingMs);
    onCleanup(() => clearInterval(timer));
  });

  const loadMore = async (): Promise<void> => {
    setLoadingMore(true);
    const variables = { filter: filter(), first: pageLength, after: end()?.endCursor ?? null };
    const { data, error: fault } = await urql.query(documentOf(JobsDocument), variables).toPromise();
    if (data) {
      change((rows) =>
        mergeNextPage(rows, { nodes: data.jobs.nodes, hasNextPage: data.jobs.pageInfo.hasNextPage }),
      );
      setEnd(data.jobs.pageInfo);
    }
    setError(fault ?? null);
    setLoadingMore(false);
  };

  return {
    get rows() {
      return store.rows;
    },
    isReady: () => end() !== null,
    error,
    hasMore,
    isLoadingMore,
    loadMore,
    reload: () => reread({ requestPolicy: 'network-only' }),
  };
}
