import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { QueueMessage } from '@gjm/core/wire/queue-message.js';
import { connectRedis } from '@gjm/server/pubsub/connect-redis.js';
import { createSlotQueues } from '@gjm/server/queue/slot-queues.js';
import { QueueConsumer } from '@gjm/worker/slot/queue-consumer.js';
import { until } from '@gjm/worker/testing/until.js';
import { startRedis, type RedisOfOurOwn } from '../support/redis-of-our-own.js';

/** Both ends of a slot's queue on a real Redis: what the server put in, the worker takes out, whatever befalls Redis in between. */
describe('slot queue', () => {
  const slot = { deviceId: 'dev_test', index: 0 };
  const prefix = 'contract';
  let redis: RedisOfOurOwn;
  let client: ReturnType<typeof connectRedis>;
  let queues: ReturnType<typeof createSlotQueues>;
  let consumers: QueueConsumer[];
  let popped: string[];

  beforeEach(async () => {
    redis = await startRedis();
    client = connectRedis(redis.url, 'commands');
    await until(() => client.status === 'ready', 'the connection');
    queues = createSlotQueues(client, prefix);
    consumers = [];
    popped = [];
    consume();
  });

  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.close(1_000)));
    client.disconnect();
    await redis.close();
  });

  function consume(
    handle = async (data: unknown) => void popped.push((data as { probeId: string }).probeId),
  ) {
    const consumer = new QueueConsumer({
      queueName: queues.nameOf(slot),
      redis: { url: redis.url, prefix },
      handle,
      log: pino({ level: 'silent' }),
    });
    consumers.push(consumer);
    consumer.start();
    return consumer;
  }

  const put = (id: string) => queues.enqueue(slot, id, { type: 'probe', probeId: id } satisfies QueueMessage);
  /** Tries until Redis is there again, as the server's sweep does. */
  const putAgain = (id: string) =>
    until(
      () =>
        put(id).then(
          () => true,
          () => false,
        ),
      'Redis to take a message',
    );
  const arrives = (id: string, limitMs = 3_000) => until(() => popped.includes(id), `message ${id}`, limitMs);

  test('delivers in order and keeps nothing', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    await arrives('c');
    expect(popped).toEqual(['a', 'b', 'c']);
    await until(
      async () => (await client.hlen(`${prefix}:${queues.nameOf(slot)}:jobs`)) === 0,
      'an empty queue',
    );
  });

  test('delivers after all keys were deleted', async () => {
    await put('a');
    await arrives('a');
    await client.flushall();
    await put('b');
    await arrives('b');
  });

  test('delivers within 3 s after a restart of Redis, and after another one', async () => {
    for (const id of ['a', 'b']) {
      await redis.kill();
      await redis.start();
      await putAgain(id);
      await arrives(id);
    }
  });

  test('delivers within 3 s after Redis was away for a while, also when it was away when the worker came', async () => {
    await redis.kill();
    await consumers[0]?.close(1_000);
    consume();
    await until(() => client.status === 'reconnecting', 'the outage to be noticed');
    // Longer than the first few back-offs of the client, whose cap is what is proven here.
    const outage = performance.now();
    await until(() => performance.now() - outage > 4_000, 'the outage');
    await redis.start();
    await putAgain('a');
    await arrives('a');
  });

  test('goes on after Redis was read-only for a while', async () => {
    await client.replicaof('127.0.0.1', '1');
    const outage = performance.now();
    await until(() => performance.now() - outage > 2_500, 'a while');
    await client.replicaof('NO', 'ONE');
    await put('a');
    await arrives('a');
  });

  test('goes on after a handler threw, and the same id can be put in again', async () => {
    await consumers[0]?.close(1_000);
    let calls = 0;
    consume(async () => {
      calls += 1;
      if (calls === 1) throw new Error('as told');
    });
    await put('a');
    await until(() => calls === 1, 'the first try');
    await put('a');
    await until(() => calls === 2, 'the second try');
  });

  test('a message that a dead worker had popped comes back to the next one', async () => {
    await consumers[0]?.close(1_000);
    const dying = consume(() => new Promise<never>(() => undefined));
    await put('a');
    await until(async () => (await client.llen(`${prefix}:${queues.nameOf(slot)}:active`)) === 1, 'the pop');
    await dying.close(100);
    consume();
    await arrives('a', 5_000);
  });

  test('closes in time when Redis is gone', async () => {
    await redis.kill();
    const began = performance.now();
    await consumers[0]?.close(1_000);
    expect(performance.now() - began).toBeLessThan(2_500);
  });
});
