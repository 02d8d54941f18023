import { UnreachableError, type JobDetails, type JobEvent } from '@gjm/client/index.js';
import type { NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { notFoundError, WaitOver } from '../exit.js';
import { Interrupted } from '../interrupt.js';
import { isOver } from '../job/status-look.js';
import type { JobView } from './view.js';

/** How often a job that waits in line is read again, in ms: its place changes without an event of its own. */
const lineMs = 3_000;

/** Reads the job again when asked, one reading at a time; a fault is left to the watch, which meets it too. */
function makeReader(client: NodeClient, id: string, view: JobView, signal: AbortSignal): () => void {
  let isReading = false;
  let isStale = false;
  const read = async (): Promise<void> => {
    isReading = true;
    do {
      isStale = false;
      const job = await client.job(id, { signal, tries: 1 }).catch(() => null);
      if (job && !signal.aborted) view.refresh?.(job);
    } while (isStale && !signal.aborted);
    isReading = false;
  };
  return () => {
    if (!view.refresh) return;
    isStale = true;
    if (!isReading) void read();
  };
}

const changesMore = ({ __typename }: JobEvent): boolean =>
  __typename === 'JobStatusEvent' ||
  __typename === 'JobDecisionEvent' ||
  __typename === 'JobCancelRequestedEvent';

/** A signal that also ends the wait after some seconds, with {@link WaitOver}. */
function limited(signal: AbortSignal, seconds: number | null, id: string): AbortSignal {
  if (seconds === null) return signal;
  const limit = new AbortController();
  setTimeout(() => limit.abort(new WaitOver(id)), seconds * 1_000).unref();
  return AbortSignal.any([signal, limit.signal]);
}

/** A job or the answer for one that is not there for this person. */
export async function readJob(client: NodeClient, id: string, signal: AbortSignal): Promise<JobDetails> {
  const job = await client.job(id, { signal });
  if (!job) throw notFoundError('job', id);
  return job;
}

async function showEvents(
  client: NodeClient,
  job: JobDetails,
  view: JobView,
  signal: AbortSignal,
): Promise<JobDetails> {
  let known = job;
  const over = new AbortController();
  const readAgain = makeReader(client, job.id, view, AbortSignal.any([signal, over.signal]));
  const timer = setInterval(() => known.status === 'QUEUED' && readAgain(), lineMs);
  const after = view.startAfter(job);
  try {
    for await (const event of client.watch(job.id, { after, signal, onState: view.connection })) {
      await view.event(event);
      if (event.__typename === 'JobStatusEvent' && event.sequence > job.lastSequence)
        known = { ...known, status: event.status, statusReason: event.reason, failure: event.failure };
      if (changesMore(event) && event.sequence > job.lastSequence) readAgain();
    }
    return known;
  } finally {
    clearInterval(timer);
    over.abort();
  }
}

/** The job as it ended. Its last event has said so already: a server that went away, or a deletion right after, changes nothing. */
async function readEnd(client: NodeClient, known: JobDetails, signal: AbortSignal): Promise<JobDetails> {
  try {
    const job = await client.job(known.id, { signal });
    if (job) return job;
  } catch (error) {
    if (!(error instanceof UnreachableError) || !isOver(known)) throw error;
  }
  if (!isOver(known)) throw notFoundError('job', known.id);
  return known;
}

/**
 * Shows a job until it is over, and gives it as the API has it then, whenever the watch began. Throws {@link WaitOver} after `seconds`
 * and {@link Interrupted} at Ctrl-C; both leave the job alone, and say so.
 */
export async function followJob(
  context: Context,
  id: string,
  view: JobView,
  seconds: number | null,
): Promise<JobDetails> {
  const client = await context.client();
  const signal = limited(context.signal, seconds, id);
  const job = await readJob(client, id, signal);
  try {
    await view.begin(job);
    const known = await showEvents(client, job, view, signal);
    view.close();
    const ended = await readEnd(client, known, signal);
    await view.end(ended);
    return ended;
  } catch (error) {
    view.close();
    if (error instanceof Interrupted) {
      if (!context.output.isJson) context.output.note(`Detached. ${id} goes on: gjm watch ${id}`);
    }
    throw error;
  } finally {
    view.close();
  }
}
