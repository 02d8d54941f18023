import Queue from 'bee-queue';
import type { Logger } from '../logger.js';
import { pause, within } from '../wait.js';

/** Bee-Queue's own recovery of messages that a dead process had popped: two checks this far apart, in ms. */
const stallMs = 1_000;
/** After Redis refused a blocking pop, the next one follows after this, in ms. */
const popRetryMs = 100;
/** node_redis gives up for good after this much waiting in all, in ms; the default is an hour. This is the longest timer there is. */
const longestWaitMs = 2 ** 31 - 1;
const longestRetryMs = 1_000;

/** Fields of Bee-Queue that its types do not name. They are looked at, or ended, nowhere else. */
interface QueueInside {
  _redisFailureRetryDelay?: number;
  client?: RedisClient | null;
  bclient?: RedisClient | null;
}
interface RedisClient {
  end(flush: boolean): void;
}

export interface ConsumerOptions {
  queueName: string;
  redis: { url: string; prefix: string };
  /** Takes one message at a time; the message is acknowledged when this resolves. It must not reject. */
  handle: (data: unknown) => Promise<void>;
  log: Logger;
}

/**
 * Pops one slot's queue for ever, through every outage of Redis. Bee-Queue lives here only. It gets no time-outs and no retries: whether a
 * message still means anything is decided by a claim.
 */
export class QueueConsumer {
  readonly #options: ConsumerOptions;
  readonly #closing = new AbortController();
  #queue: Queue<unknown> | null = null;
  #isBroken = false;
  #running: Promise<void> | null = null;

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Pops nothing more, and waits at most `limitMs` for a message in hand. Also works without Redis. */
  async close(limitMs: number): Promise<void> {
    this.#closing.abort();
    if (this.#queue) await endQueue(this.#queue, limitMs);
    await within(this.#running ?? Promise.resolve(), limitMs, undefined);
  }

  /** A queue that can not go on (its start failed, or Redis lost its scripts) is closed and made anew. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let n = 0; !signal.aborted; n += 1) {
      const queue = this.#open();
      this.#queue = queue;
      this.#isBroken = false;
      try {
        await queue.ready();
        if (signal.aborted) return;
        queue.process(1, (job) => this.#take(job.data));
        n = 0;
        while (!signal.aborted && !this.#isBroken) {
          await pause(stallMs, signal);
          if (!signal.aborted) await queue.checkStalledJobs();
        }
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log.warn({ err: error }, 'the queue is opened anew');
      }
      await endQueue(queue, 1_000);
      await pause(Math.min(longestRetryMs, 50 * 2 ** Math.min(n, 10)), signal);
    }
  }

  #open(): Queue<unknown> {
    const { queueName, redis, log } = this.#options;
    const settings = {
      prefix: redis.prefix,
      redis: {
        url: redis.url,
        retry_strategy: ({ attempt }: { attempt: number }) =>
          this.#closing.signal.aborted ? undefined : Math.min(longestRetryMs, 50 * attempt),
        connect_timeout: longestWaitMs,
        // A half-open connection is noticed in about 15 s by the kernel instead of in two hours.
        socket_initial_delay: 5_000,
      },
      stallInterval: stallMs,
      initialRedisFailureRetryDelay: popRetryMs,
      isWorker: true,
      getEvents: false,
      sendEvents: false,
      storeJobs: false,
      activateDelayedJobs: false,
      removeOnSuccess: true,
      removeOnFailure: true,
    };
    const queue = new Queue<unknown>(queueName, settings);
    queue.on('error', (error: Error & { code?: string }) => {
      // Bee-Queue doubles its wait with each failed pop and has no cap: start over instead.
      (queue as QueueInside)._redisFailureRetryDelay = 0;
      if (error.message.includes('NOSCRIPT') || error.code === 'CONNECTION_BROKEN') this.#isBroken = true;
      if (!this.#closing.signal.aborted) log.debug({ err: error }, 'queue error');
    });
    queue.ready().catch(() => undefined); // heard where it is awaited; a closed queue's has no other listener
    return queue;
  }

  async #take(data: unknown): Promise<void> {
    if (this.#closing.signal.aborted) return;
    try {
      await this.#options.handle(data);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a message could not be handled');
    }
  }
}

/** Bee-Queue's close waits for Redis to say goodbye; after the limit the sockets are ended without. */
async function endQueue(queue: Queue<unknown>, limitMs: number): Promise<void> {
  await within(
    queue.close(limitMs).catch(() => undefined),
    limitMs,
    undefined,
  );
  const { client, bclient } = queue as QueueInside;
  for (const connection of [client, bclient]) connection?.end(true);
}
