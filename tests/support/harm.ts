import { setTimeout as delay } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Stack } from '@gjm/stack/stack.js';

/** Something that goes wrong in a real installation. `awayMs`: how long what is taken away stays away. */
export type Harm = (stack: Stack, awayMs: number) => Promise<void>;

const workerOf = (stack: Stack): string =>
  Object.keys(stack.pids()).filter((name) => name.startsWith('worker'))[0] ?? 'worker';

/** Pids of the children of a process that bear our runner's name. */
export function runnersOf(parent: number): number[] {
  const listing = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(parent)], { encoding: 'utf8' });
  return listing
    .split('\n')
    .flatMap((line) => (line.includes('gjm-runner') ? [Number.parseInt(line, 10)] : []));
}

const onRedis = async <T>(stack: Stack, work: (redis: Redis) => Promise<T>): Promise<T> => {
  const redis = new Redis(stack.redisUrl, { maxRetriesPerRequest: 3 });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
};

const onPostgres = async (stack: Stack, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  client.on('error', () => undefined); // it may terminate itself
  await client.connect();
  await client.query(sql).catch(() => undefined);
  await client.end().catch(() => undefined);
};

const stillness =
  (name: string): Harm =>
  async (stack, awayMs) => {
    stack.kill(name, 'SIGSTOP');
    await delay(awayMs);
    stack.kill(name, 'SIGCONT');
  };

/** Every harm by name. Each leaves the stack whole again, or on its way there by itself. */
export const harms: Record<string, Harm> = {
  'a runner is killed': async (stack) => {
    const [runner] = runnersOf(stack.pids()[workerOf(stack)] ?? 0);
    if (runner) process.kill(runner, 'SIGKILL');
  },
  'a worker is killed': async (stack) => stack.kill(workerOf(stack), 'SIGKILL'),
  'a worker is told to stop': async (stack) => stack.kill(workerOf(stack), 'SIGTERM'),
  'the server is killed': async (stack) => stack.kill('server', 'SIGKILL'),
  'Redis is away': async (stack, awayMs) => {
    await stack.stop('redis');
    await delay(awayMs);
    await stack.start('redis');
  },
  'Redis is restarted, its scripts gone': async (stack) => stack.restart('redis'),
  'Redis is emptied': async (stack) => void (await onRedis(stack, (redis) => redis.flushall())),
  'Redis is read-only': async (stack, awayMs) =>
    onRedis(stack, async (redis) => {
      await redis.replicaof('127.0.0.1', '1');
      await delay(awayMs);
      await redis.replicaof('NO', 'ONE');
    }),
  'Redis stands still': stillness('redis'),
  'Postgres is restarted': async (stack) => stack.restart('postgres'),
  'all database connections are terminated': async (stack) =>
    onPostgres(
      stack,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    ),
  'the server stands still': stillness('server'),
  'a worker stands still': async (stack, awayMs) => stillness(workerOf(stack))(stack, awayMs),
};

/** Everything in a process group or below a pid that is still there, for "no process is left". */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
