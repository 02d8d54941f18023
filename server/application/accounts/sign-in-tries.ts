import { refusal, type Result } from '@gjm/core/problem.js';
import { hashToken } from './secret-token.js';
import type { TriesLimiter } from './ports.js';

/**
 * Tries are taken before the password is looked at and given back when it was right: of a flood that arrives at once, only the allowed
 * number is checked at all, and a right password among the rest does not sign in.
 */
export function createSignInTries(byAccount: TriesLimiter, byAddress: TriesLimiter) {
  const accountKey = (email: string) => hashToken(email).slice(0, 32);
  return {
    /** Null when the try may go on. */
    async take(email: string | null, address: string): Promise<Result<never> | null> {
      const waits = await Promise.all([
        byAddress.take(address),
        email === null ? 0 : byAccount.take(accountKey(email)),
      ]);
      const retryAfterMs = Math.max(...waits);
      return retryAfterMs > 0 ? rateLimited(retryAfterMs) : null;
    },
    /** It was the right password. */
    async succeed(email: string | null, address: string): Promise<void> {
      await Promise.all([
        byAddress.giveBack(address),
        email === null ? undefined : byAccount.forget(accountKey(email)),
      ]);
    },
  };
}
export type SignInTries = ReturnType<typeof createSignInTries>;

export const rateLimited = <T = never>(retryAfterMs: number): Result<T> =>
  refusal({
    type: 'RateLimitedProblem',
    code: 'RATE_LIMITED',
    message: `Too many tries. Wait ${Math.ceil(retryAfterMs / 1000)} seconds.`,
    retryAfterMs: Math.ceil(retryAfterMs),
  });
