import { onCleanup } from 'solid-js';
import type { Client, JobEvent } from '@gjm/client/index.js';

/** Live events are taken in batches: a replay of a thousand draws the page once. In ms. */
const batchMs = 50;
/** Events before the page was opened that come with the watch, at once. */
const readBack = 400;
/** Events one page of the past holds; the query has the same number written out. */
const pageLength = 400;
/** Pages of the past that are read unasked. */
const pagesAtMost = 250;

export interface Feed {
  /** New events, in order. */
  onLive: (events: JobEvent[]) => void;
  /** A page from before what is known, newest page first; each in order. */
  onPast: (events: JobEvent[]) => void;
  /** Every event from the first on is here, or as many as are read. */
  onPastRead: () => void;
  onError: (error: unknown) => void;
}

/** Hands events on in batches, the rest when the sequence ends. */
async function takeInBatches(
  events: AsyncIterable<JobEvent>,
  take: (batch: JobEvent[]) => void,
): Promise<void> {
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

async function readPast(
  client: Client,
  id: string,
  from: number,
  signal: AbortSignal,
  feed: Feed,
): Promise<void> {
  let low = from;
  for (let pages = 0; low > 0 && pages < pagesAtMost && !signal.aborted; pages += 1) {
    const after = Math.max(0, low - pageLength);
    const page = await client.jobEvents(id, after, { signal });
    // Old numbers may be pruned: the page then begins later than asked and holds what is known already.
    const events = (page?.nodes ?? []).filter(({ sequence }) => sequence <= low);
    if (events.length > 0) feed.onPast(events);
    low = after;
  }
  if (!signal.aborted) feed.onPastRead();
}

/**
 * Every event of a job, for as long as the owner lives: the last ones and what comes by one subscription, those before them page by page.
 * @param known number of the last event that the page's snapshot contains
 */
export function createEventFeed(client: Client, id: string, known: number, feed: Feed): void {
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  const after = Math.max(0, known - readBack);
  const failed = (error: unknown): void => void (stop.signal.aborted || feed.onError(error));
  takeInBatches(client.watch(id, { after, signal: stop.signal }), (batch) => {
    if (!stop.signal.aborted) feed.onLive(batch);
  }).catch(failed);
  readPast(client, id, after, stop.signal, feed).catch(failed);
}
