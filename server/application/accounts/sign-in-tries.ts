import { refusal, type Result } from '@gjm/core/problem.js';
import { hashToken } from './secret-token.js';
import type { Logger } from '../ports.js';
import type { TriesLimiter } from './ports.js';

/** What is tried. Each has its own count per address: a flood of one does not shut the others. */
export type TriedDoor = 'login' | 'register' | 'link';

/**
 * Tries are taken before the password is looked at and given back when it was right: of a flood that arrives at once, only the allowed
 * number is checked at all, and a right password among the rest does not sign in. A try that its account refuses costs its address
 * nothing: nothing was checked.
 */
export function createSignInTries(byAccount: TriesLimiter, byAddress: TriesLimiter, logger: Logger) {
  const accountKey = (email: string) => hashToken(email).slice(0, 32);
  const addressKey = (door: TriedDoor, address: string) => `${door}:${address}`;
  return {
    /** Null when the try may go on. `email` is the account that is tried, null when there is none yet. */
    async take(door: TriedDoor, email: string | null, address: string): Promise<Result<never> | null> {
      const accountMs = email === null ? 0 : await byAccount.take(accountKey(email));
      const waitMs = accountMs > 0 ? accountMs : await byAddress.take(addressKey(door, address));
      if (waitMs <= 0) return null;
      logger.info({ door, address, per: accountMs > 0 ? 'account' : 'address' }, 'too many tries');
      return rateLimited(waitMs);
    },
    /** It was right. */
    async succeed(door: TriedDoor, email: string | null, address: string): Promise<void> {
      const ofAddress = byAddress.giveBack(addressKey(door, address));
      await Promise.all([ofAddress, email === null ? undefined : byAccount.forget(accountKey(email))]);
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
