import type { Redis } from 'ioredis';

/** How long to wait before a subscription that Redis refused is asked for again, in ms. */
const againMs = 1_000;

type Done = (error: null, count: number) => void;

/**
 * What graphql-redis-subscriptions needs of a subscriber connection, without its two faults: a SUBSCRIBE that fails, and an UNSUBSCRIBE that
 * fails, each leave a rejected promise behind that nobody handles, which ends the process. Here neither ever fails. Both wait until the
 * connection is ready (ioredis would send a SUBSCRIBE before its own ready check, which then breaks the connection off), and a SUBSCRIBE is
 * asked for until Redis takes it. Once the connection was told to end, nothing is answered any more.
 */
export class PatientSubscriber {
  /** Commands for when the connection is ready, in order. */
  #waiting: (() => void)[] = [];

  constructor(private readonly redis: Redis) {
    redis.on('ready', () => {
      for (const send of this.#waiting.splice(0)) send();
    });
    redis.on('end', () => (this.#waiting = []));
  }

  on(event: string, listener: (...values: unknown[]) => void): void {
    this.redis.on(event, listener);
  }

  subscribe(channel: string, done: Done): void {
    this.#whenReady(() => {
      this.redis.subscribe(channel).then(
        (count) => done(null, Number(count)),
        () => {
          if (this.redis.status !== 'end') setTimeout(() => this.subscribe(channel, done), againMs).unref();
        },
      );
    });
  }

  unsubscribe(channel: string): void {
    // One that is lost with its connection is made up for: the library drops what comes for a channel nobody listens to.
    this.#whenReady(() => void this.redis.unsubscribe(channel).catch(() => undefined));
  }

  /** The library calls it beside each unsubscribe; no pattern is ever subscribed here. */
  punsubscribe(): void {}

  #whenReady(send: () => void): void {
    if (this.redis.status === 'ready') send();
    else if (this.redis.status !== 'end') this.#waiting.push(send);
  }
}
