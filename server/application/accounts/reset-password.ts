import type { Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import { invalid, notFoundProblem, success, type Result } from '@gjm/core/problem.js';
import { adminOnly } from './admin-only.js';
import type { AccountRows } from './ports.js';
import { hashToken, makeToken } from './secret-token.js';
import type { Sessions } from './sessions.js';

/** How long a link stays good: it travels from one person to another. */
const linkSeconds = 86_400;

/** A one-time sign-in link's token, shown once. */
export interface PasswordReset {
  token: string;
  expiresAt: Date;
}

/**
 * Takes a user's password away, ends their sessions and earlier links, and gives a link by which they sign in once and may then set a new
 * password. One's own is refused: a link that was lost would lock its maker out.
 */
export async function resetPassword(
  { rows, sessions }: { rows: AccountRows; sessions: Sessions },
  viewer: Viewer,
  userId: string,
): Promise<Result<PasswordReset>> {
  if (viewer.role !== 'ADMIN') return adminOnly;
  const id = parseId('user', userId);
  if (id === viewer.id) return invalid([{ path: ['userId'], message: 'is your own: change your password' }]);
  const token = makeToken('gjms');
  const reset =
    id &&
    (await rows.transaction(async (within) => {
      if (!(await within.clearPassword(id))) return null;
      await within.voidUserTokens(id);
      const ended = await within.revokeSessions(id, null);
      return { ended, expiresAt: await within.insertUserToken(hashToken(token), id, linkSeconds) };
    }));
  if (!reset) return notFoundProblem('user');
  sessions.tellEnded(reset.ended);
  return success({ token, expiresAt: reset.expiresAt });
}
