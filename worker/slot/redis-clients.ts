import { createRequire } from 'node:module';

/** What we use of Bee-Queue's Redis client (node_redis 3, which has no types of its own). */
export interface RedisClient {
  on(event: 'error', listener: (error: Error & { code?: string }) => void): this;
  duplicate(): RedisClient;
  /** Drops the connection and fails what is under way. */
  end(flush: boolean): void;
}

// Bee-Queue's own copy: it recognises a client by its class, and another version would be a stranger to it.
const ours = createRequire(import.meta.url);
const { createClient } = createRequire(ours.resolve('bee-queue'))('redis') as {
  createClient(this: void, options: Record<string, unknown>): RedisClient;
};

/** node_redis gives up for good after this much waiting in all, in ms; the default is an hour. This is the longest timer there is. */
const longestWaitMs = 2 ** 31 - 1;
const longestRetryMs = 1_000;

/**
 * The connections of one queue: Bee-Queue is given the first and makes its second from it. All are known here from their first moment, so
 * that each always has somebody who hears its errors, and can be ended at any time. They reconnect for ever.
 */
export class RedisClients {
  readonly first: RedisClient;
  readonly #onError: (error: Error & { code?: string }) => void;
  readonly #all: RedisClient[] = [];

  constructor(url: string, onError: (error: Error & { code?: string }) => void) {
    this.#onError = onError;
    this.first = this.#keep(
      createClient({
        url,
        retry_strategy: ({ attempt }: { attempt: number }) => Math.min(longestRetryMs, 50 * attempt),
        connect_timeout: longestWaitMs,
        // A half-open connection is noticed in about 15 s by the kernel instead of in two hours.
        socket_initial_delay: 5_000,
      }),
    );
  }

  /** Ends all of them without a goodbye. */
  end(): void {
    for (const client of this.#all) client.end(true);
  }

  #keep(client: RedisClient): RedisClient {
    const duplicate = client.duplicate.bind(client);
    client.duplicate = () => this.#keep(duplicate());
    client.on('error', this.#onError);
    this.#all.push(client);
    return client;
  }
}
