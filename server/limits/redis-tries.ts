import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { TriesLimiter } from '../application/accounts/ports.js';

/**
 * Tries counted in Redis, shared by all replicas; while Redis is away each process counts for itself, so that the limit never opens.
 * `points` tries in `seconds`, counted from the first.
 */
export function createRedisTries(
  redis: Redis,
  keyPrefix: string,
  points: number,
  seconds: number,
): TriesLimiter {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration: seconds,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: seconds }),
  });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
        return 0;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext);
        throw refused;
      }
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
    async forget(key) {
      await limiter.delete(key);
    },
  };
}
