import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findPublicHost, isLoopback, isWildcard } from './address.js';
import { type Child, startChild } from './child.js';
import type { StackContext } from './context.js';
import { findFreePort } from './free-port.js';
import { StackProblem } from './problem.js';
import type { RedisProgram } from './redis-debian.js';
import { findRedisProgram } from './redis-program.js';
import { lastLines } from './run-program.js';
import type { ServicePlan } from './service.js';
import { until } from './until.js';

/** An embedded Redis: how to start it and its address. */
export interface RedisPlan extends ServicePlan {
  url: string;
  /** The address for workers of other machines, undefined while the server is for this machine alone. */
  publicUrl: string | undefined;
  port: number;
}

/** Address of an embedded Redis, for programs of this machine unless a host is named. */
export function redisUrl(port: number, password: string, host = '127.0.0.1'): string {
  return `redis://:${password}@${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Finds a Redis program and fixes its port for the life of this stack. It keeps nothing on disk: Redis is never
 * the truth here. It listens on loopback, and also on `GJM_HOST` when that lets other machines in.
 */
export async function planRedis(context: StackContext): Promise<RedisPlan> {
  const program = await findRedisProgram(context);
  const home = join(context.folder.path, 'redis');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const port = await findFreePort(
    isLoopback(context.environment.host) ? undefined : context.environment.host,
  );
  const password = context.secrets.redisPassword;
  const publicHost = findPublicHost(context.environment.host);
  return {
    name: 'redis',
    url: redisUrl(port, password),
    publicUrl: publicHost && redisUrl(port, password, publicHost),
    port,
    async start(_again, spawned) {
      const child = await spawnRedis(program, home, port, context);
      spawned(child);
      try {
        await until(() => isAnswering(child, port, password), {
          limitMs: 30_000,
          what: 'Redis was not ready',
          signal: context.signal,
        });
        return child;
      } catch (error) {
        await child.stop();
        throw error;
      }
    },
  };
}

function spawnRedis(
  program: RedisProgram,
  home: string,
  port: number,
  context: StackContext,
): Promise<Child> {
  const { host } = context.environment;
  const config = [
    `bind ${isWildcard(host) ? '* -::*' : isLoopback(host) ? '127.0.0.1' : `127.0.0.1 ${host}`}`,
    `port ${port}`,
    `requirepass ${context.secrets.redisPassword}`,
    `dir ${JSON.stringify(home)}`,
    'daemonize no',
    'save ""',
    'appendonly no',
    'maxmemory-policy noeviction',
    '',
  ];
  const libraries = program.libraryPath === undefined ? {} : { LD_LIBRARY_PATH: program.libraryPath };
  return startChild(
    {
      name: 'redis',
      command: program.command,
      args: ['-'], // the settings come on standard input, so that the password is in no process list
      input: config.join('\n'),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...libraries },
      cwd: home,
      stopSteps: [{ signal: 'SIGTERM', waitMs: 5_000 }],
    },
    context.folder,
  );
}

async function isAnswering(child: Child, port: number, password: string): Promise<boolean> {
  if (child.exit !== undefined) throw new StackProblem(`Redis did not start: ${lastLines(child.output())}`);
  const place = { host: '127.0.0.1', port, password };
  const client = new Redis({ ...place, lazyConnect: true, retryStrategy: () => null, disconnectTimeout: 50 });
  client.on('error', () => undefined); // the next look tells
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
