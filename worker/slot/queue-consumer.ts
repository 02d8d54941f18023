import Queue from 'bee-queue';
import type { Logger } from '../logger.js';
import { pause, within } from '../wait.js';
import { RedisClients } from './redis-clients.js';

/** Bee-Queue's own recovery of messages that a dead process had popped: two checks this far apart, in ms. */
const stallMs = 1_000;
/** After Redis refused a blocking pop, the next one follows after this, in ms. */
const popRetryMs = 100;
/** From one failed opening to the next, at most, in ms. */
const longestRetryMs = 1_000;
/** A field of Bee-Queue that its types do not name: its wait before the next pop after a failed one, in ms. */
interface QueueInside {
  _redisFailureRetryDelay?: number;
}

/** A queue with its connections. */
interface OpenQueue {
  queue: Queue<unknown>;
  clients: RedisClients;
  isReady: boolean;
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
  #open: OpenQueue | null = null;
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
    if (this.#open) await endQueue(this.#open, limitMs);
    await within(this.#running ?? Promise.resolve(), limitMs, undefined);
  }

  /** A queue that can not go on (its start failed, or Redis lost its scripts) is closed and made anew. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let n = 0; !signal.aborted; n += 1) {
      const open = this.#openQueue();
      this.#open = open;
      this.#isBroken = false;
      try {
        await Promise.race([open.queue.ready(), whenAborted(signal)]);
        if (signal.aborted) return;
        open.isReady = true;
        open.queue.process(1, (job) => this.#take(job.data));
        n = 0;
        while (!signal.aborted && !this.#isBroken) {
          await pause(stallMs, signal);
          if (!signal.aborted) await open.queue.checkStalledJobs();
        }
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log.warn({ err: error }, 'the queue is opened anew');
      }
      await endQueue(open, 1_000);
      await pause(Math.min(longestRetryMs, 50 * 2 ** Math.min(n, 10)), signal);
    }
  }

  #openQueue(): OpenQueue {
    const { queueName, redis, log } = this.#options;
    const onError = (error: Error & { code?: string }) => {
      // Bee-Queue doubles its wait with each failed pop and has no cap: start over instead.
      (queue as QueueInside)._redisFailureRetryDelay = 0;
      if (error.message.includes('NOSCRIPT') || error.code === 'CONNECTION_BROKEN') this.#isBroken = true;
      if (!this.#closing.signal.aborted) log.debug({ err: error }, 'queue error');
    };
    const clients = new RedisClients(redis.url, (error) => onError(error));
    const queue = new Queue<unknown>(queueName, {
      prefix: redis.prefix,
      redis: clients.first as never,
      stallInterval: stallMs,
      isWorker: true,
      getEvents: false,
      sendEvents: false,
      storeJobs: false,
      activateDelayedJobs: false,
      removeOnSuccess: true,
      removeOnFailure: true,
      ...{ initialRedisFailureRetryDelay: popRetryMs },
    });
    queue.on('error', onError);
    queue.ready().catch(() => undefined); // heard where it is awaited; a closed queue's has no other listener
    return { queue, clients, isReady: false };
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

/** Waits for a message in hand, which a queue that never became ready can not have; then drops the connections. */
async function endQueue({ queue, clients, isReady }: OpenQueue, limitMs: number): Promise<void> {
  const closed = queue.close(limitMs).catch(() => undefined);
  if (isReady) await within(closed, limitMs, undefined);
  clients.end();
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
