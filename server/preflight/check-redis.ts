import type { Redis } from 'ioredis';
import { Explained } from './explained.js';

/**
 * Queue keys must not be evicted. A managed Redis may forbid CONFIG, and then INFO tells the policy as well; where both are forbidden nothing
 * can be known, which is said in the note that comes back.
 */
export async function refuseEviction(redis: Redis): Promise<string | null> {
  if (redis.status !== 'ready') return null; // the check of Redis itself says so
  const policy = (await policyByConfig(redis)) ?? (await policyByInfo(redis));
  if (policy === null) return 'Redis does not tell its maxmemory-policy: make sure that it is noeviction.';
  if (policy !== 'noeviction')
    throw new Explained(
      `Redis has maxmemory-policy ${policy}, which may lose messages: set it to noeviction.`,
    );
  return null;
}

async function policyByConfig(redis: Redis): Promise<string | null> {
  const [, policy] = (await redis.config('GET', 'maxmemory-policy').catch(() => [])) as string[];
  return policy ?? null;
}

async function policyByInfo(redis: Redis): Promise<string | null> {
  const info = await redis.info('memory').catch(() => '');
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null;
}
