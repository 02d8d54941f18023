import type { Viewer } from '@gjm/core/access/policy.js';
import { refusal, success, type Result } from '@gjm/core/problem.js';
import { newId } from '../new-id.js';
import { issueAccessToken } from './access-token.js';
import type { AccountRows, AccountTransaction } from './ports.js';
import { firstRefreshToken, sessionOf, successorOf } from './refresh-token.js';
import { hashToken } from './secret-token.js';
import type { Viewers } from './viewers.js';

/** A session lives this long after its last refresh. */
const sessionSeconds = 30 * 86_400;
/** A refresh repeated within this time gets the same successor: the first answer may have been lost. */
const replaySeconds = 10;

/** What a sign-in gives. The refresh token is shown once. */
export interface SignIn {
  viewer: Viewer;
  accessToken: string;
  expiresAt: Date;
  refreshToken: string;
  refreshExpiresAt: Date;
}

interface SessionDeps {
  rows: AccountRows;
  viewers: Viewers;
  keys: { accessToken: Buffer; refreshToken: Buffer };
  accessTokenSeconds: number;
  sessionEnded: (sessionId: string) => void;
}

export const badToken = refusal({
  type: 'UnauthenticatedProblem',
  code: 'UNAUTHENTICATED',
  message: 'This session has ended. Sign in again.',
});

/** Sessions: opened by a sign-in, kept by rotating refresh tokens, ended by logout or by a refresh token used twice. */
export function createSessions({ rows, viewers, keys, accessTokenSeconds, sessionEnded }: SessionDeps) {
  const describe = (
    viewer: Viewer,
    sessionId: string,
    refreshToken: string,
    refreshExpiresAt: Date,
  ): SignIn => {
    const { token, expiresAt } = issueAccessToken(keys.accessToken, viewer.id, sessionId, accessTokenSeconds);
    return { viewer, accessToken: token, expiresAt, refreshToken, refreshExpiresAt };
  };

  /** Sessions that were ended in the database are over everywhere, their sockets with them. */
  function tellEnded(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      viewers.forgetSession(id);
      sessionEnded(id);
    }
  }

  async function end(sessionId: string): Promise<void> {
    await rows.revokeSession(sessionId);
    tellEnded([sessionId]);
  }

  return {
    /** Opens a session, within the caller's transaction when there is one. */
    async open(viewer: Viewer, within: Pick<AccountTransaction, 'insertSession'> = rows): Promise<SignIn> {
      const id = newId('session');
      const token = firstRefreshToken(keys.refreshToken, id);
      const session = { id, userId: viewer.id, tokenHash: hashToken(token), lifeSeconds: sessionSeconds };
      return describe(viewer, id, token, await within.insertSession(session));
    },

    /** Gives a session fresh tokens, by which no earlier refresh token works any more; null when it has ended. */
    async renew(
      viewer: Viewer,
      sessionId: string,
      within: Pick<AccountTransaction, 'renewSession'>,
    ): Promise<SignIn | null> {
      const token = firstRefreshToken(keys.refreshToken, sessionId);
      const expiresAt = await within.renewSession(sessionId, hashToken(token), sessionSeconds);
      return expiresAt && describe(viewer, sessionId, token, expiresAt);
    },

    /** Exchanges a refresh token. One that was exchanged before ends its session, unless that was a moment ago. */
    async refresh(presented: string | null): Promise<Result<SignIn>> {
      const sessionId = presented === null ? null : sessionOf(keys.refreshToken, presented);
      if (presented === null || sessionId === null) return badToken;
      const successor = successorOf(keys.refreshToken, sessionId, presented);
      const hash = hashToken(presented);
      const rotated = await rows.rotateSession(sessionId, hash, hashToken(successor), sessionSeconds);
      const session = rotated ? null : await rows.findSession(sessionId, replaySeconds);
      const isReplay = session?.isLive && session.isFresh && session.previousHash === hash;
      if (session?.isLive && !isReplay) await end(sessionId);
      const kept = rotated ?? (isReplay ? session : null);
      const viewer = kept && (await rows.findViewer(kept.userId));
      if (!kept || !viewer) return badToken;
      return success(describe(viewer, sessionId, successor, kept.expiresAt));
    },

    /** The session a refresh token belongs to, for logout. */
    idOf: (refreshToken: string): string | null => sessionOf(keys.refreshToken, refreshToken),
    end,
    tellEnded,
  };
}
export type Sessions = ReturnType<typeof createSessions>;
