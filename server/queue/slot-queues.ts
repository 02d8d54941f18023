import BeeQueue from 'bee-queue';
import type { Redis } from 'ioredis';
import type { QueueMessage } from '@gjm/core/wire/queue-message.js';
import {
  queueStructures,
  type QueueStructure,
  type SlotAddress,
  type SlotQueues,
} from '../application/ports.js';

/**
 * The only Bee-Queue code of the server: it puts messages in, workers take them out. All queues share one connection. After a Redis
 * restart its scripts are gone and every save() would fail with NOSCRIPT for ever, so queues are remade on each reconnect, and once more
 * when a save fails that way (a SCRIPT FLUSH closes no connection).
 */
export function createSlotQueues(redis: Redis, prefix: string): SlotQueues {
  const queues = new Map<string, BeeQueue<QueueMessage>>();
  redis.on('ready', () => queues.clear());

  const queueOf = (name: string): BeeQueue<QueueMessage> => {
    let queue = queues.get(name);
    if (!queue) {
      queue = makeQueue(name, redis, prefix);
      queues.set(name, queue);
    }
    return queue;
  };

  const withQueue = async <T>(
    name: string,
    work: (queue: BeeQueue<QueueMessage>) => Promise<T>,
  ): Promise<T> => {
    if (redis.status !== 'ready') throw new Error('Redis is away.');
    try {
      return await work(queueOf(name));
    } catch (error) {
      queues.delete(name);
      if (!String((error as Error).message).startsWith('NOSCRIPT')) throw error;
      return await work(queueOf(name));
    }
  };

  const nameOf = ({ deviceId, index }: SlotAddress): string => `${deviceId}-${index}`;
  return {
    nameOf,
    entries: (slots) => countEntries(redis, prefix, slots.map(nameOf)),
    remove: (slot, id) => withQueue(nameOf(slot), (queue) => queue.removeJob(id)),
    enqueue: (slot, id, message) =>
      withQueue(nameOf(slot), async (queue) => {
        const saved = await queue.createJob(message).setId(id).save();
        if (saved.id) return;
        // A living message with this id makes save() a silent no-op, also one that a dead worker popped: it is replaced.
        await queue.removeJob(id);
        const again = await queue.createJob(message).setId(id).save();
        if (!again.id) throw new Error(`The queue did not take message ${id}.`);
      }),
  };
}

/** How to ask Redis for the length of each structure. */
const lengthOf: Record<QueueStructure, (redis: Redis, key: string) => Promise<number>> = {
  waiting: (redis, key) => redis.llen(key),
  active: (redis, key) => redis.llen(key),
  stalling: (redis, key) => redis.scard(key),
  delayed: (redis, key) => redis.zcard(key),
  succeeded: (redis, key) => redis.scard(key),
  failed: (redis, key) => redis.scard(key),
  jobs: (redis, key) => redis.hlen(key),
};

/** All lengths leave in one write: the connection pipelines commands of one turn. Keys as Bee-Queue makes them. */
async function countEntries(
  redis: Redis,
  prefix: string,
  names: readonly string[],
): Promise<Record<QueueStructure, number>> {
  await redis.ping(); // a Redis that is away is a failure also when there is no slot
  const sums = queueStructures.map(async (structure) => {
    const lengths = await Promise.all(
      names.map((name) => lengthOf[structure](redis, `${prefix}:${name}:${structure}`)),
    );
    return [structure, lengths.reduce((sum, length) => sum + length, 0)] as const;
  });
  return Object.fromEntries(await Promise.all(sums)) as Record<QueueStructure, number>;
}

function makeQueue(name: string, redis: Redis, prefix: string): BeeQueue<QueueMessage> {
  // Bee-Queue takes an ioredis client as well; its types only know node_redis.
  const settings: Record<string, unknown> = {
    redis,
    prefix,
    isWorker: false,
    getEvents: false,
    sendEvents: false,
    storeJobs: false,
    activateDelayedJobs: false,
    removeOnSuccess: true,
    removeOnFailure: true,
    quitCommandClient: false,
  };
  const queue = new BeeQueue<QueueMessage>(name, settings);
  // Each failure also reaches its caller; without a listener it would end the process.
  queue.on('error', () => undefined);
  return queue;
}
