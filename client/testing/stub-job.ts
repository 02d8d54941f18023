import type { Fields } from './stub-server.js';

/** Wakes every reader of a stub job when something was added. */
class Bell {
  #waiting: (() => void)[] = [];

  ring(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

interface StubEvent {
  __typename: string;
  sequence: number;
}

/** A job whose numbered events a test adds one by one; it replays and goes live like the real one. */
export class StubJob {
  readonly id = 'job_1';
  readonly events: StubEvent[] = [];
  status = 'RUNNING';
  /** What subscriptions asked for, in order. */
  readonly asked: number[] = [];
  /** Thrown at the next subscription, once each. */
  readonly faults: Error[] = [];
  /** May change what one subscription sends: repeat, reorder, leave out. */
  distort: (events: StubEvent[]) => StubEvent[] = (events) => events;
  readonly #bell = new Bell();

  log(text = 'line\n'): void {
    this.#add({ __typename: 'JobLogEvent', stream: 'STDOUT', text, firstLine: 1 });
  }

  finish(status = 'SUCCEEDED'): void {
    this.status = status;
    this.#add({ __typename: 'JobStatusEvent', status, reason: null, failure: null });
  }

  readonly fields: Fields = {
    job: () => ({ id: this.id, status: this.status, lastSequence: this.events.length }),
    jobEvents: (args) => this.#replay(args['after'] as number),
  };

  #add(fields: Record<string, unknown> & { __typename: string }): void {
    const sequence = this.events.length + 1;
    this.events.push({
      jobId: this.id,
      sequence,
      at: '2026-01-01T00:00:00.000Z',
      attempt: 1,
      ...fields,
    } as StubEvent);
    this.#bell.ring();
  }

  async *#replay(after: number): AsyncGenerator<{ jobEvents: StubEvent }> {
    this.asked.push(after);
    const fault = this.faults.shift();
    if (fault) throw fault;
    for (let sent = after; ;) {
      const fresh = this.events.slice(sent);
      sent = this.events.length;
      for (const event of this.distort(fresh)) yield { jobEvents: event };
      if (this.status !== 'RUNNING' && sent === this.events.length) return;
      if (sent === this.events.length) await this.#bell.wait();
    }
  }
}
