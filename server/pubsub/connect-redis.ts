import { Redis as Connection } from 'ioredis';

/** Bee-Queue knows a client by the name of its class, which ioredis' own mixin hides. */
class Redis extends Connection {}

type RedisRole = 'commands' | 'subscriber';

/**
 * A connection that never gives up: reconnects are endless with about 1 s between at most; a read-only answer (a demoted primary) leads to
 * a reconnect. `commands` never makes anybody wait: while Redis is away they fail at once, and after 2 s when it is silent. A `subscriber`
 * keeps its subscriptions over reconnects instead, those asked for while Redis was away included.
 */
export function connectRedis(url: string, role: RedisRole): Connection {
  const isSubscriber = role === 'subscriber';
  const redis = new Redis(url, {
    connectionName: `gjm-server-${role}`,
    enableOfflineQueue: isSubscriber,
    // Commands of one turn of the event loop leave in one write: a system call each would be the dearest part of a wake-up.
    enableAutoPipelining: !isSubscriber,
    maxRetriesPerRequest: isSubscriber ? null : 0,
    commandTimeout: isSubscriber ? undefined : 2_000,
    connectTimeout: 2_000,
    keepAlive: 10_000,
    retryStrategy: (tries) => Math.min(1_000, 50 * 2 ** Math.min(tries, 5)) * (0.8 + 0.4 * Math.random()),
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 1 : false),
  });
  // The state is told by `status`; without a listener an error would be printed for each try.
  redis.on('error', () => undefined);
  return redis;
}
