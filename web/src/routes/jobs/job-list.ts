import { createEffect, createMemo, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import { createQuery, useClient } from '@urql/solid';
import type { JobFilter, JobRow } from '@gjm/client/index.js';
import { JobsDocument, type JobsQuery } from '@gjm/client/generated/graphql.js';
import { everyMs } from '../../lib/interval.js';
import { createReread } from '../../lib/reread.js';
import { useSession } from '../../lib/session.js';
import { documentOf } from '../../lib/urql.js';
import { createHeldRows } from './held-rows.js';
import { applyChange, mergeFirstPage, mergeNextPage } from './job-rows.js';
import { passes, queryOf, type ListFilter } from './list-filter.js';

const pageLength = 50;
/** A place in line changes without any change of the job itself; only reading tells. In ms. */
const waitingMs = 5_000;

/** What the list page shows and can do. */
export interface JobList {
  rows: Accessor<readonly JobRow[]>;
  /** How many jobs came since the reader last looked. */
  waiting: Accessor<number>;
  showWaiting: () => void;
  /** Whether the first page is here. */
  isReady: Accessor<boolean>;
  error: Accessor<unknown>;
  hasMore: Accessor<boolean>;
  isLoadingMore: Accessor<boolean>;
  loadMore: () => Promise<void>;
  reload: () => void;
}

type PageInfo = JobsQuery['jobs']['pageInfo'];
type Merge = (rows: JobRow[]) => JobRow[];

/** Rows that merge: they work on plain rows, and the store then touches only what differs, so that rows keep their elements. */
function createRows() {
  const [store, setStore] = createStore<{ rows: JobRow[] }>({ rows: [] });
  const held = createHeldRows();
  const merge = (step: Merge, isExpected: boolean): void => {
    const before = untrack(() => unwrap(store.rows));
    const after = step(before);
    if (!isExpected) held.note(before, after);
    setStore('rows', reconcile(after, { key: 'id' }));
  };
  return {
    all: () => store.rows,
    seen: createMemo(() => {
      const ids = held.held();
      return ids.size === 0 ? store.rows : store.rows.filter(({ id }) => !ids.has(id));
    }),
    waiting: () => held.held().size,
    showWaiting: held.release,
    /** Takes in what came by itself. */
    change: (step: Merge) => merge(step, false),
    /** Takes in what the reader asked for. */
    extend: (step: Merge) => merge(step, true),
  };
}

/** Calls back for every live change until the owner is gone; the error ends it. */
function follow(filter: ListFilter, take: (step: Merge | null) => void, hasMore: Accessor<boolean>) {
  const { client } = useSession();
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  const run = async (): Promise<void> => {
    for await (const live of client.watchJobs(queryOf(filter), { signal: stop.signal }))
      if (live.kind === 'read-again') take(null);
      else
        take((rows) =>
          applyChange(rows, live.value, {
            passes: (job) => passes(filter, job),
            hasMore: untrack(hasMore),
          }),
        );
  };
  return run().catch((fault: unknown) => {
    if (!stop.signal.aborted) throw fault;
  });
}

/** Reads pages after the first, one at a time. */
function createPaging(filter: JobFilter | null, take: (page: JobsQuery['jobs']) => void) {
  const urql = useClient();
  const [end, setEnd] = createSignal<PageInfo | null>(null);
  const [isLoadingMore, setLoadingMore] = createSignal(false);
  const hasMore = () => end()?.hasNextPage ?? false;
  const loadMore = async (): Promise<unknown> => {
    if (isLoadingMore() || !hasMore()) return null;
    setLoadingMore(true);
    const variables = { filter, first: pageLength, after: end()?.endCursor ?? null };
    const { data, error } = await urql.query(documentOf(JobsDocument), variables).toPromise();
    if (data) {
      take(data.jobs);
      setEnd(data.jobs.pageInfo);
    }
    setLoadingMore(false);
    return error ?? null;
  };
  return { end, setEnd, hasMore, isLoadingMore, loadMore };
}

/**
 * The list of jobs behind this filter, kept current: a page read by urql, moved on by live changes, read again whenever changes may have
 * been missed. For as long as its owner lives; another filter is another one of these.
 */
export function createJobList(filter: ListFilter): JobList {
  const query = queryOf(filter);
  const rows = createRows();
  const [error, setError] = createSignal<unknown>(null);
  const paging = createPaging(query, ({ nodes, pageInfo }) =>
    rows.extend((known) => mergeNextPage(known, { nodes, hasNextPage: pageInfo.hasNextPage })),
  );
  const [first, reread] = createQuery({
    query: documentOf(JobsDocument),
    variables: { filter: query, first: pageLength },
  });
  const reload = (): void => reread({ requestPolicy: 'network-only' });
  createEffect(() => {
    if (first.fetching) return;
    setError(first.error ?? null);
    if (!first.data || first.error) return;
    const { nodes, pageInfo } = structuredClone(unwrap(first.data.jobs));
    rows.change((known) => mergeFirstPage(known, { nodes, hasNextPage: pageInfo.hasNextPage }));
    // Later pages stay loaded: their end stands until they are asked to go on.
    if (untrack(() => rows.all().length) <= nodes.length || !untrack(paging.end)) paging.setEnd(pageInfo);
  });
  const take = (step: Merge | null): void => (step ? rows.change(step) : reload());
  void follow(filter, take, paging.hasMore).catch((fault: unknown) => setError(fault));
  createReread(reload, error);
  const isWaiting = createMemo(() => rows.all().some(({ status }) => status === 'QUEUED'));
  createEffect(() => isWaiting() && everyMs(waitingMs, reload));
  return {
    rows: rows.seen,
    waiting: rows.waiting,
    showWaiting: rows.showWaiting,
    isReady: () => paging.end() !== null,
    error,
    hasMore: paging.hasMore,
    isLoadingMore: paging.isLoadingMore,
    loadMore: async () => void setError(await paging.loadMore()),
    reload,
  };
}
