import { createEffect, createMemo, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import { createQuery } from '@urql/solid';
import { ApiError, type JobEvent } from '@gjm/client/index.js';
import { JobDocument } from '@gjm/client/generated/graphql.js';
import { useSession } from '../../lib/session.js';
import { isOver } from '../../lib/status.js';
import { documentOf } from '../../lib/urql.js';
import { applyEvent, needsSnapshot, takeSnapshot, type JobView } from './job-view.js';
import { appendLog, emptyTail, type LogTail } from './log-lines.js';

/** Events before the snapshot that are read back, for the end of the log and the ledger. */
const readBack = 1_000;
/** Why a job waits is computed when it is asked; no event tells. In ms. */
const waitingMs = 3_000;
/** Events are taken in batches: a replay of a thousand draws the page once. In ms. */
const batchMs = 50;

export interface JobState {
  view: Accessor<JobView | null>;
  /** Status and cancel events, in order. */
  story: Accessor<readonly JobEvent[]>;
  log: Accessor<LogTail>;
  /** Newest value of each metric, by name. */
  metrics: Accessor<ReadonlyMap<string, string>>;
  isMissing: Accessor<boolean>;
  error: Accessor<unknown>;
  reload: () => void;
}

const isStory = (event: JobEvent): boolean =>
  event.__typename === 'JobStatusEvent' || event.__typename === 'JobCancelRequestedEvent';

/** Numbers as they are; what JSON can not carry is told by name (NaN, infinities). */
const metricText = (event: Extract<JobEvent, { __typename: 'JobMetricEvent' }>): string =>
  event.value === null ? (event.special ?? 'none') : String(Number(event.value.toPrecision(5)));

/** One job, live: a snapshot by urql, then every event after it, once and in order. */
export function createJobState(id: string): JobState {
  const { client } = useSession();
  const [store, setStore] = createStore<{ view: JobView | null }>({ view: null });
  const [story, setStory] = createSignal<readonly JobEvent[]>([]);
  const [log, setLog] = createSignal<LogTail>(emptyTail);
  const [metrics, setMetrics] = createSignal<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = createSignal<unknown>(null);
  const [isMissing, setMissing] = createSignal(false);
  const change = (view: JobView): void => setStore('view', reconcile(view, { key: 'id', merge: true }));
  const known = (): JobView | null => untrack(() => unwrap(store.view));

  const [answer, reread] = createQuery({ query: documentOf(JobDocument), variables: { id } });
  const reload = (): void => reread({ requestPolicy: 'network-only' });
  createEffect(() => {
    if (answer.fetching) return;
    setError(answer.error ?? null);
    if (answer.error || answer.data === undefined) return;
    const job = answer.data.job;
    setMissing(job === null);
    if (job) change(takeSnapshot(known(), structuredClone(unwrap(job))));
  });

  const take = (events: readonly JobEvent[]): void => {
    const view = known();
    if (view) change(events.reduce(applyEvent, structuredClone(view)));
    setLog((tail) => appendLog(tail, events));
    setStory((before) => [...before, ...events.filter(isStory)]);
    const measured = events.flatMap((event) =>
      event.__typename === 'JobMetricEvent' ? [[event.name, metricText(event)] as const] : [],
    );
    if (measured.length > 0) setMetrics((before) => new Map([...before, ...measured]));
    if (events.some(needsSnapshot)) reload();
  };
  const isHere = createMemo(() => store.view !== null);
  createEffect(() => {
    if (!isHere()) return;
    const stop = new AbortController();
    const after = Math.max(0, (known()?.lastSequence ?? 0) - readBack);
    void follow(client.watch(id, { after, signal: stop.signal }), take).catch((fault: unknown) => {
      if (stop.signal.aborted) return;
      if (fault instanceof ApiError && fault.code === 'NOT_FOUND') setMissing(true);
      else setError(fault);
    });
    onCleanup(() => stop.abort());
  });
  const isQueued = createMemo(() => store.view?.status === 'QUEUED');
  createEffect(() => {
    if (!isQueued()) return;
    const timer = setInterval(() => document.hidden || reload(), waitingMs);
    onCleanup(() => clearInterval(timer));
  });
  return { view: () => store.view, story, log, metrics, isMissing, error, reload };
}

/** Hands events on in batches, the rest when the sequence ends. */
async function follow(events: AsyncIterable<JobEvent>, take: (batch: JobEvent[]) => void): Promise<void> {
  let batch: JobEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const full = batch;
    batch = [];
    if (full.length > 0) take(full);
  };
  try {
    for await (const event of events) {
      batch.push(event);
      timer ??= setTimeout(flush, batchMs);
    }
  } finally {
    flush();
  }
}

/** When the page shows the end of the job and nothing more can come. */
export const finalAt = (view: JobView | null): string | null =>
  view && isOver(view) ? view.finishedAt : null;
