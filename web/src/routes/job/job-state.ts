import { batch, createEffect, createMemo, createSignal, untrack, type Accessor } from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import { createQuery } from '@urql/solid';
import { ApiError, type JobEvent } from '@gjm/client/index.js';
import { JobDocument } from '@gjm/client/generated/graphql.js';
import { everyMs } from '../../lib/interval.js';
import { createReread } from '../../lib/reread.js';
import { useSession } from '../../lib/session.js';
import { isOver } from '../../lib/status.js';
import { documentOf } from '../../lib/urql.js';
import { createEventFeed } from './event-feed.js';
import { applyEvent, needsSnapshot, takeSnapshot, type JobView } from './job-view.js';
import { LogBook } from './log-book.js';
import { MetricBook } from './metric-book.js';

/** Why a job waits is computed when it is asked; no event tells. In ms. */
const waitingMs = 3_000;

/** Everything the events of a job told, besides its present state. The books are the same objects all along; reading them here tracks them. */
interface JobRecord {
  /** Status and cancel events, in order. */
  story: Accessor<readonly JobEvent[]>;
  log: Accessor<LogBook>;
  /** Lines that came above all others since the page opened. */
  above: Accessor<number>;
  metrics: Accessor<MetricBook>;
  /** When each attempt was first heard of while it ran: its model was loaded by then. */
  firstSigns: Accessor<ReadonlyMap<number, string>>;
  isReading: Accessor<boolean>;
}

export interface JobState extends JobRecord {
  view: Accessor<JobView | null>;
  isMissing: Accessor<boolean>;
  error: Accessor<unknown>;
  reload: () => void;
}

const isStory = (event: JobEvent): boolean =>
  event.__typename === 'JobStatusEvent' || event.__typename === 'JobCancelRequestedEvent';

const isSign = (event: JobEvent): boolean =>
  event.__typename === 'JobProgressEvent' ||
  event.__typename === 'JobMetricEvent' ||
  (event.__typename === 'JobLogEvent' && event.stream !== 'SYSTEM');

/** The earlier of what is known and what these events say, per attempt. */
function firstSignsWith(
  known: ReadonlyMap<number, string>,
  events: readonly JobEvent[],
): ReadonlyMap<number, string> {
  const signs = new Map(known);
  for (const event of events) {
    if (event.attempt === null || !isSign(event)) continue;
    const before = signs.get(event.attempt);
    if (before === undefined || event.at < before) signs.set(event.attempt, event.at);
  }
  return signs;
}

/** Keeps what events tell, from whichever end they come. */
function createRecord() {
  const [story, setStory] = createSignal<readonly JobEvent[]>([]);
  const [log, setLog] = createSignal(new LogBook(), { equals: false });
  const [metrics, setMetrics] = createSignal(new MetricBook(), { equals: false });
  const [above, setAbove] = createSignal(0);
  const [firstSigns, setFirstSigns] = createSignal<ReadonlyMap<number, string>>(new Map());
  const [isReading, setReading] = createSignal(true);
  const take = (events: readonly JobEvent[]): void =>
    batch(() => {
      const lines = untrack(log).add(events);
      if (events.some((event) => event.__typename === 'JobLogEvent')) setLog((book) => book);
      setAbove((before) => before + lines);
      if (untrack(metrics).add(events)) setMetrics((book) => book);
      const known = new Set(untrack(story).map(({ sequence }) => sequence));
      const fresh = events.filter((event) => isStory(event) && !known.has(event.sequence));
      if (fresh.length > 0)
        setStory((before) => [...before, ...fresh].sort((a, b) => a.sequence - b.sequence));
      if (events.some(isSign)) setFirstSigns((signs) => firstSignsWith(signs, events));
    });
  return { record: { story, log, above, metrics, firstSigns, isReading }, take, setReading };
}

/** One job, live: a snapshot by urql, then every event after it, once and in order; read again whenever it may show the past. */
export function createJobState(id: string): JobState {
  const { client } = useSession();
  const [store, setStore] = createStore<{ view: JobView | null }>({ view: null });
  const { record, take, setReading } = createRecord();
  const [error, setError] = createSignal<unknown>(null);
  const [isMissing, setMissing] = createSignal(false);
  const change = (view: JobView): void => setStore('view', reconcile(view, { key: 'id', merge: true }));
  const known = (): JobView | null => untrack(() => unwrap(store.view));

  const [answer, reread] = createQuery({ query: documentOf(JobDocument), variables: { id } });
  const reload = (): void => reread({ requestPolicy: 'network-only' });
  /** Number of the newest event that tells less than a snapshot does. */
  let untold = 0;
  createEffect(() => {
    if (answer.fetching) return;
    setError(answer.error ?? null);
    if (answer.error || answer.data === undefined) return;
    const job = answer.data.job;
    setMissing(job === null);
    if (!job) return;
    change(takeSnapshot(known(), structuredClone(unwrap(job))));
    // It was under way when that event came: what the event stands for is only in the next one.
    if (job.lastSequence < untold) reload();
  });
  createReread(reload, error);

  const isHere = createMemo(() => store.view !== null);
  createEffect(() => {
    if (!isHere()) return;
    createEventFeed(client, id, known()?.lastSequence ?? 0, {
      onLive: (events) => {
        const view = known();
        const before = view?.lastSequence ?? 0;
        if (view) change(events.reduce(applyEvent, structuredClone(view)));
        take(events);
        const last = events.findLast(needsSnapshot);
        if (!last) return;
        untold = last.sequence;
        if (untold > before) reload();
      },
      onPast: take,
      onPastRead: () => setReading(false),
      onError: (fault) => {
        if (fault instanceof ApiError && fault.code === 'NOT_FOUND') setMissing(true);
        else setError(fault);
      },
    });
  });
  const isQueued = createMemo(() => store.view?.status === 'QUEUED');
  createEffect(() => isQueued() && everyMs(waitingMs, reload));
  return { ...record, view: () => store.view, isMissing, error, reload };
}

/** When the page shows the end of the job and nothing more can come. */
export const finalAt = (view: JobView | null): string | null =>
  view && isOver(view) ? view.finishedAt : null;
