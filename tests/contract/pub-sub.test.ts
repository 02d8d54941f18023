import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { connectRedis } from '@gjm/server/pubsub/connect-redis.js';
import { RedisWakeUps } from '@gjm/server/pubsub/redis-pubsub.js';
import { startRedis, type RedisOfOurOwn } from '../support/redis-of-our-own.js';
import { until } from '../support/until.js';

const wakeUp = { jobId: 'j', ownerId: 'u', lastSequence: 1, from: 'QUEUED', to: 'QUEUED' } as const;

/** Wake-ups over a real Redis that is refused, restarted and let go while subscriptions are under way. */
describe('wake-ups', () => {
  let redis: RedisOfOurOwn;
  let admin: Redis;
  const connections: Redis[] = [];
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    redis = await startRedis();
    admin = connectRedis(redis.url, 'commands');
    await until('Redis answers', () => admin.status === 'ready');
  });

  afterEach(() => {
    for (const connection of connections.splice(0)) connection.disconnect();
    expect(unhandled).toEqual([]);
  });

  afterAll(async () => {
    process.off('unhandledRejection', note);
    admin.disconnect();
    await redis.close();
  });

  function open(url = redis.url): { pubsub: RedisWakeUps; subscriber: Redis } {
    const [publisher, subscriber] = [connectRedis(url, 'commands'), connectRedis(url, 'subscriber')];
    connections.push(publisher, subscriber);
    return { pubsub: new RedisWakeUps(publisher, subscriber, 'test:'), subscriber };
  }

  test('that are asked for at every moment of connecting all come', async () => {
    const { pubsub, subscriber } = open();
    const heard = new Set<string>();
    const asked: Promise<() => void>[] = [];
    const ask = (key: string) => asked.push(pubsub.subscribe('job', key, () => heard.add(key)));
    ask('at once');
    for (const event of ['connect', 'ready']) subscriber.once(event, () => ask(event));
    await until('it is ready', () => asked.length === 3 && pubsub.isUp);
    const ends = await Promise.all(asked);
    for (const key of ['at once', 'connect', 'ready']) pubsub.publish('job', key, wakeUp);
    await until('all are heard', () => heard.size === 3);
    expect(pubsub.listeners).toBe(3);
    for (const end of ends) end();
    for (const end of ends) end();
    expect(pubsub.listeners).toBe(0);
    await until('Redis has none', async () => (await admin.pubsub('CHANNELS', 'test:*')).length === 0);
  });

  test('that Redis refuses are asked for until it takes them', async () => {
    await admin.acl('SETUSER', 'narrow', 'on', '>pw', '~*', 'resetchannels', '+@all');
    const url = new URL(redis.url);
    [url.username, url.password] = ['narrow', 'pw'];
    const { pubsub } = open(url.href);
    await until('it is ready', () => pubsub.isUp);
    let heard = 0;
    const subscribed = pubsub.subscribe('jobs', '', () => heard++);
    await until('it was refused', async () => {
      const log = (await admin.acl('LOG')) as unknown[];
      return log.length > 0;
    });
    expect(pubsub.listeners).toBe(0);
    await admin.acl('SETUSER', 'narrow', 'allchannels');
    await subscribed;
    pubsub.publish('jobs', '', wakeUp);
    await until('it is heard', () => heard === 1);
  });

  test('survive a restart of Redis, those that ended meanwhile excepted', async () => {
    const { pubsub } = open();
    const heard: string[] = [];
    await pubsub.subscribe('job', 'stays', () => heard.push('stays'));
    const end = await pubsub.subscribe('job', 'ends', () => heard.push('ends'));
    await redis.kill();
    await until('it is away', () => !pubsub.isUp);
    end();
    const late = pubsub.subscribe('job', 'late', () => heard.push('late'));
    pubsub.publish('job', 'stays', wakeUp);
    await until('the lost one is counted', () => pubsub.missed === 1);
    await redis.start();
    await late;
    for (const key of ['stays', 'ends', 'late']) pubsub.publish('job', key, wakeUp);
    await until('both are heard', () => new Set(heard).size >= 2);
    // The one that Redis did not take was heard here; a wake-up may come twice.
    expect([...new Set(heard)].sort()).toEqual(['late', 'stays']);
    // This connection of the test's own came back in its own time.
    await until('Redis answers', () => admin.status === 'ready');
    await until(
      'Redis has two channels',
      async () => (await admin.pubsub('CHANNELS', 'test:*')).length === 2,
    );
  });

  test('are let go while Redis is away without a word', async () => {
    const { pubsub } = open();
    const end = await pubsub.subscribe('job', 'x', () => undefined);
    await redis.kill();
    await until('it is away', () => !pubsub.isUp);
    void pubsub.subscribe('job', 'y', () => undefined);
    end();
    for (const connection of connections) connection.disconnect();
    await redis.start();
    await until('Redis answers', () => admin.status === 'ready');
  });
});
