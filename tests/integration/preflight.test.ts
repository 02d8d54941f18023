import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { connectRedis } from '@gjm/server/pubsub/connect-redis.js';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { startRedis, type RedisOfOurOwn } from '../support/redis-of-our-own.js';
import { openRelay, type Relay } from '../support/relay.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';

let redis: RedisOfOurOwn;
let admin: Redis;
let bench: ServerBench;
let env: Record<string, string>;
let relay: Relay;
let server: ServerProcess & { address: string };
/** Replicas that see of Redis what a user without CONFIG sees, and one without INFO as well. */
let managed: ServerProcess & { address: string };
let mute: ServerProcess & { address: string };
let database: pg.Client;

beforeAll(async () => {
  redis = await startRedis();
  admin = connectRedis(redis.url, 'commands');
  bench = new ServerBench({ ...sharedStack(), redisUrl: redis.url });
  env = await bench.install();
  relay = await openRelay(env['DATABASE_URL'] as string);
  await until('Redis answers', () => admin.status === 'ready');
  const REDIS_URL = [await redisUser('managed', '-config'), await redisUser('mute', '-config', '-info')];
  [server, managed, mute] = await Promise.all([
    bench.start({ ...env, DATABASE_URL: relay.url }),
    bench.start({ ...env, REDIS_URL: REDIS_URL[0] }),
    bench.start({ ...env, REDIS_URL: REDIS_URL[1] }),
  ]);
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
}, 30_000);

afterAll(async () => {
  await database.end();
  await bench.close();
  relay.close();
  admin.disconnect();
  await redis.close();
});

/** The address of our Redis for a user who may not do everything. */
async function redisUser(name: string, ...forbidden: string[]): Promise<string> {
  await admin.acl('SETUSER', name, 'on', '>pw', '~*', '&*', '+@all', ...forbidden);
  const url = new URL(redis.url);
  [url.username, url.password] = [name, 'pw'];
  return url.href;
}

interface Health {
  ok: boolean;
  checks: { name: string; ok: boolean; message: string | null }[];
}

/** What the three doors say, which is one thing. */
async function lookAtHealth(url = server.address): Promise<Health & { status: number }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, ...((await response.json()) as Health) };
}

/** The check of this name once it is well or not. */
const told = (name: string, ok: boolean, url?: string) =>
  until(`${name} is ${ok ? 'well' : 'not well'}`, async () => {
    const { status, ok: isReady, checks } = await lookAtHealth(url);
    const check = checks.find((it) => it.name === name);
    return check?.ok === ok ? { ...check, status, isReady } : null;
  });

describe('health', () => {
  test('is well, and the same at every door, without a token', async () => {
    const ready = await until('all is well', async () => {
      const health = await lookAtHealth();
      return health.checks.every(({ ok }) => ok) ? health : null;
    });
    expect(ready).toMatchObject({ status: 200, ok: true });
    const { status: _, ...body } = ready;
    expect(await (await fetch(`${server.address}/health`)).json()).toEqual(body);
    const { data } = await post(server.address, '{ health { ok version checks { name ok message } } }');
    expect(data).toEqual({ health: body });
  });

  test('is not ready while the database lacks a migration', async () => {
    const { rows } = await database.query<{ timestamp: string; name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING timestamp, name',
    );
    const check = await told('migrations', false);
    expect(check).toMatchObject({ status: 503, isReady: false });
    expect(check.message).toBe(
      `The database lacks the migration ${rows[0]?.name}: start this server again, which makes it.`,
    );
    await database.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
      rows[0]?.timestamp,
      rows[0]?.name,
    ]);
    expect(await told('migrations', true)).toMatchObject({ status: 200, isReady: true });
  });

  test('is degraded, and goes on, when a later release has changed the database', async () => {
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (9, 'FromTheFuture9')`);
    const check = await told('later-release', false);
    expect(check).toMatchObject({ status: 200, isReady: true });
    expect(check.message).toContain('FromTheFuture9');
    expect((await signUp(server.address)).id).toMatch(/^usr_/);
    await database.query(`DELETE FROM migrations WHERE name = 'FromTheFuture9'`);
  });

  test('is degraded by an eviction policy that may lose messages, also where only INFO tells it', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const message = 'Redis has maxmemory-policy allkeys-lru, which may lose messages: set it to noeviction.';
    expect(await told('redis-eviction', false)).toMatchObject({ status: 200, isReady: true, message });
    expect((await told('redis-eviction', false, managed.address)).message).toBe(message);
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await told('redis-eviction', true);
    await told('redis-eviction', true, managed.address);
  });

  test('starts with a warning where Redis tells nothing', async () => {
    const message = 'Redis does not tell its maxmemory-policy: make sure that it is noeviction.';
    await until('it warns', () => mute.output().includes(message));
    expect(await told('redis-eviction', true, mute.address)).toMatchObject({ status: 200, message });
  });

  test('is degraded while files can not be written, and a restart is refused', async () => {
    const folder = join(env['GJM_DATA_DIR'] as string, 'artifacts');
    await rename(folder, `${folder}-away`);
    const check = await told('artifact-folder', false);
    expect(check).toMatchObject({ status: 200, isReady: true });
    expect(check.message).toBe(
      'The folder of files (GJM_ARTIFACT_DIR) is not there any more: is it mounted?',
    );
    await rename(`${folder}-away`, folder);
    expect(await told('artifact-folder', true)).toMatchObject({ message: null });
  });

  test('tells of Redis and Postgres that are away, each with its own weight, and no address', async () => {
    await redis.kill();
    expect(await told('redis', false)).toMatchObject({
      status: 200,
      isReady: true,
      message: 'It does not answer.',
    });
    await redis.start();
    await told('redis', true);
    for (const act of ['cut', 'silence'] as const) {
      relay[act]();
      const check = await told('postgres', false);
      expect(check).toMatchObject({ status: 503, isReady: false });
      expect(['It does not answer.', 'No answer in time.']).toContain(check.message);
      const { text } = await post(server.address, '{ health { ok checks { name ok message } } }');
      expect(text).not.toMatch(/127\.0\.0\.1|postgres:\/\/|ECONN/);
      relay.restore();
      await told('postgres', true);
    }
  }, 40_000);
});
