import { EventOrder } from './event-order.js';
import { SequenceGapError, UnreachableError } from './errors.js';
import {
  JobEventsDocument,
  JobStandingDocument,
  type EventFieldsFragment,
  type JobStatus,
} from './generated/graphql.js';
import type { ConnectionState, LiveLink } from './live-link.js';
import { OverflowError } from './bounded-queue.js';
import { anySignal } from './pause.js';
import { Recovery } from './recovery.js';
import type { Request } from './request.js';
import type { Rests } from './rests.js';
import type { Session } from './session.js';
import { StateReport } from './state-report.js';
import { subscribeOnce } from './subscribe.js';

/** One numbered event of a job; `__typename` tells which. A newer server may send types this client does not know. */
export type JobEvent = EventFieldsFragment;

export interface WatchOptions {
  /** The last number already seen; 0 replays from the start. */
  after?: number | undefined;
  /** Ends the watch; the loop then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether what the loop sees is current. `reconnecting` comes with each fault, `live` once the link is back. */
  onState?: ((state: ConnectionState) => void) | undefined;
}

/** What the subscriptions of one client share. */
export interface LiveContext {
  link: LiveLink;
  request: Request;
  session: Session;
  closed: AbortSignal;
  /** Where subscriptions rest between tries. */
  rests: Rests;
}

/** How often the same hole may be read again before it counts as a broken record. */
const gapTries = 3;

const running: readonly JobStatus[] = ['QUEUED', 'RUNNING'];
/** A status this client does not know is taken as living: the server's completion ends the watch then. */
const terminal: readonly JobStatus[] = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

/** Whether nothing is numbered after this event. */
export const isTerminalEvent = (event: JobEvent): boolean =>
  event.__typename === 'JobStatusEvent' && terminal.includes(event.status);

/**
 * Every event of one job, once and in order, across any loss of the connection. Ends after the terminal event, and at once when `after`
 * is that event's number or more. Throws ApiError for a job that is not there or not the viewer's to see and for an ended session,
 * SequenceGapError for a broken record; a server that is away is waited for without end.
 */
export class JobWatch {
  readonly #order: EventOrder;
  readonly #signal: AbortSignal;
  readonly #recovery: Recovery;
  readonly #state: StateReport;
  #gaps = 0;
  #over = false;

  constructor(
    private readonly live: LiveContext,
    private readonly jobId: string,
    options: WatchOptions = {},
  ) {
    this.#order = new EventOrder(options.after ?? 0);
    this.#signal = anySignal(live.closed, options.signal);
    this.#recovery = new Recovery(live.session, this.#signal, live.rests);
    this.#state = new StateReport(live.link, options.onState);
  }

  async *events(): AsyncGenerator<JobEvent, void, void> {
    try {
      for (;;) {
        const ended = yield* this.#oneConnection();
        if (ended) return;
      }
    } finally {
      this.#state.stop();
    }
  }

  /** Yields until the connection breaks; true when the job's sequence is complete. */
  async *#oneConnection(): AsyncGenerator<JobEvent, boolean, void> {
    this.#recovery.begin();
    this.#state.begin();
    try {
      for await (const event of this.#subscribe()) {
        if (!(await this.#takes(event))) continue;
        yield event;
        if (isTerminalEvent(event)) return true;
      }
      if (await this.#isComplete()) return true;
      throw new UnreachableError('The server ended the watch before the job ended.');
    } catch (error) {
      if (!this.#signal.aborted && !(error instanceof OverflowError)) this.#state.enter('reconnecting');
      await this.#recovery.after(error);
      return false;
    }
  }

  #subscribe(): AsyncGenerator<JobEvent, void, void> {
    const variables = { jobId: this.jobId, after: this.#order.last };
    return subscribeOnce(
      this.live.link,
      JobEventsDocument,
      variables,
      (data) => data.jobEvents,
      this.#signal,
    );
  }

  async #takes(event: JobEvent): Promise<boolean> {
    const place = this.#order.placeOf(event.sequence);
    if (place === 'old') return false;
    if (place === 'gap') await this.#allowGap(event.sequence);
    else this.#gaps = 0;
    this.#order.advance(event.sequence);
    this.#recovery.progressed();
    return true;
  }

  /** Old numbers of a job that is over may have been pruned. While it lives a hole is a fault: read again, then say so. */
  async #allowGap(received: number): Promise<void> {
    this.#over ||= await this.#isOver();
    if (this.#over) return;
    this.#gaps += 1;
    const expected = this.#order.last + 1;
    if (this.#gaps >= gapTries) throw new SequenceGapError(this.jobId, expected, received);
    throw new UnreachableError(`Event ${expected} did not come before ${received}.`);
  }

  async #isOver(): Promise<boolean> {
    const { job } = await this.live.request(
      JobStandingDocument,
      { id: this.jobId },
      { signal: this.#signal },
    );
    return job !== null && !running.includes(job.status);
  }

  async #isComplete(): Promise<boolean> {
    const { job } = await this.live.request(
      JobStandingDocument,
      { id: this.jobId },
      { signal: this.#signal },
    );
    return job !== null && !running.includes(job.status) && job.lastSequence <= this.#order.last;
  }
}
