import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Child } from '@gjm/stack/child.js';
import { openDataFolder } from '@gjm/stack/data-folder.js';
import { readEnvironment } from '@gjm/stack/environment.js';
import { planRedis } from '@gjm/stack/redis.js';
import { openSecrets } from '@gjm/stack/secrets.js';

/** A real Redis that a test may kill and start again on the same port, empty each time. */
export interface RedisOfOurOwn {
  url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startRedis(): Promise<RedisOfOurOwn> {
  const folder = await openDataFolder(await mkdtemp(join(tmpdir(), 'gjm-redis-')));
  const plan = await planRedis({
    environment: { ...readEnvironment(), host: '127.0.0.1' },
    folder,
    secrets: await openSecrets(folder),
    signal: new AbortController().signal,
    say: () => undefined,
  });
  let child: Child | undefined;
  const start = async () => {
    child = await plan.start(child !== undefined, () => undefined);
  };
  await start();
  return {
    url: plan.url,
    start,
    kill: async () => {
      child?.kill('SIGKILL');
      await child?.exited;
    },
    close: async () => {
      await child?.stop();
      await rm(folder.path, { recursive: true, force: true });
    },
  };
}
