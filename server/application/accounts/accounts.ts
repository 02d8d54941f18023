import { ownerScopeOf, type Viewer } from '@gjm/core/access/policy.js';
import type { Result } from '@gjm/core/problem.js';
import type { Logger } from '../ports.js';
import { readAccessToken, type AccessClaims } from './access-token.js';
import { bootstrapAccounts } from './bootstrap.js';
import { changePassword, type PasswordOwner } from './change-password.js';
import { login } from './login.js';
import { createPasswords } from './password.js';
import type { AccountRows, TriesLimiter } from './ports.js';
import { resetPassword, type PasswordReset } from './reset-password.js';
import { updateUser } from './update-user.js';
import type { UserAccount, UserPage } from './user-ports.js';
import { createFirstLook, register, type Registration } from './register.js';
import { createSessions, type SignIn } from './sessions.js';
import { redeemSignInLink } from './sign-in-link.js';
import { createSignInTries } from './sign-in-tries.js';
import { createViewers } from './viewers.js';
import { createInvite, createWorkerToken, createWorkerTokenVerifier } from './worker-token.js';

export interface AccountDeps {
  rows: AccountRows;
  triesByAccount: TriesLimiter;
  triesByAddress: TriesLimiter;
  keys: { accessToken: Buffer; refreshToken: Buffer };
  accessTokenSeconds: number;
  registration: 'open' | 'invite' | 'closed';
  /** Whether rights hang on this address (in lower case), so that registering it takes an invite. */
  isNamedAddress: (email: string) => boolean;
  bootstrap: { invite: string | null; signInToken: string | null; workerToken: string | null };
  /** Told at once when a session ends here. */
  sessionEnded: (sessionId: string) => void;
  logger: Logger;
}

/** Who somebody is, by an access token. */
export interface Identity {
  viewer: Viewer;
  claims: AccessClaims;
}

/** Accounts, sessions and tokens. `address` is the caller's IP address, against which tries are counted. */
export interface Accounts {
  register(input: unknown, address: string): Promise<Result<SignIn>>;
  /** Asked by strangers. */
  registration(): Promise<Registration>;
  login(input: unknown, address: string): Promise<Result<SignIn>>;
  refresh(refreshToken: string | null): Promise<Result<SignIn>>;
  redeemSignInLink(token: string, address: string): Promise<Result<SignIn>>;
  /** Ends the session, and the refresh token's, each if any. */
  logout(sessionId: string | null, refreshToken: string | null): Promise<void>;
  /** Answers with this session's fresh tokens. */
  changePassword(owner: PasswordOwner, input: unknown): Promise<Result<SignIn>>;
  resetPassword(viewer: Viewer, userId: string): Promise<Result<PasswordReset>>;
  /** Accounts that a viewer may see: an ADMIN everybody's, others their own. */
  listAccounts(viewer: Viewer, page: Omit<UserPage, 'ownerScope'>): Promise<UserAccount[]>;
  updateUser(viewer: Viewer, input: unknown): Promise<Result<UserAccount>>;
  /** Whether an account has a password; false also for one that is unknown. */
  hasPassword(userId: string): Promise<boolean>;
  createInvite(viewer: Viewer, input: unknown): Promise<Result<{ invite: string; expiresAt: Date }>>;
  createWorkerToken(viewer: Viewer, input: unknown): Promise<Result<{ token: string }>>;
  /** Whether a token is a live worker token; looked up at most every 2 s. */
  verifyWorkerToken(token: string): Promise<boolean>;
  /** Null for anything but a good token of a live session; at most 2 s old. */
  identify(accessToken: string): Promise<Identity | null>;
  /** A user who is not disabled; at most 2 s old. */
  findViewer(userId: string): Promise<Viewer | null>;
  /** Those of `sessionIds` that have ended. */
  findEndedSessions(sessionIds: string[]): Promise<string[]>;
  /** A session ended elsewhere: forget what is remembered of it. */
  forgetSession(sessionId: string): void;
  /** Stores the tokens of the environment; call it once, after migrations. */
  bootstrap(): Promise<void>;
}

export function createAccounts(deps: AccountDeps): Accounts {
  const { rows, keys, logger, registration, isNamedAddress, accessTokenSeconds } = deps;
  const passwords = createPasswords();
  const viewers = createViewers(rows);
  const sessions = createSessions({
    rows,
    viewers,
    keys,
    accessTokenSeconds,
    sessionEnded: deps.sessionEnded,
  });
  const tries = createSignInTries(deps.triesByAccount, deps.triesByAddress, logger);
  const isFirst = createFirstLook(rows);
  const all = { rows, passwords, sessions, tries, registration, isNamedAddress };
  return {
    register: (input, address) => register(all, input, address),
    registration: async () => ({ mode: registration, isFirst: await isFirst() }),
    login: (input, address) => login(all, input, address),
    refresh: (token) => sessions.refresh(token),
    redeemSignInLink: (token, address) => redeemSignInLink(all, token, address),
    async logout(sessionId, refreshToken) {
      const ended = new Set([sessionId, refreshToken && sessions.idOf(refreshToken)]);
      for (const id of ended) if (id) await sessions.end(id);
    },
    changePassword: (owner, input) => changePassword(all, owner, input),
    resetPassword: (viewer, userId) => resetPassword(all, viewer, userId),
    listAccounts: (viewer, page) => rows.listAccounts({ ...page, ownerScope: ownerScopeOf(viewer) }),
    updateUser: (viewer, input) => updateUser({ rows, sessions, viewers }, viewer, input),
    hasPassword: async (userId) => ((await rows.findPassword(userId))?.hash ?? null) !== null,
    createInvite: (viewer, input) => createInvite(rows, viewer, input),
    createWorkerToken: (viewer, input) => createWorkerToken(rows, viewer, input),
    verifyWorkerToken: createWorkerTokenVerifier(rows),
    async identify(accessToken) {
      const claims = readAccessToken(keys.accessToken, accessToken);
      const viewer = claims && (await viewers.ofSession(claims.sessionId));
      return viewer && viewer.id === claims.userId ? { viewer, claims } : null;
    },
    findViewer: (userId) => viewers.ofUser(userId),
    async findEndedSessions(sessionIds) {
      const live = new Set(await rows.filterLiveSessions(sessionIds));
      return sessionIds.filter((id) => !live.has(id));
    },
    forgetSession: (sessionId) => viewers.forgetSession(sessionId),
    bootstrap: () => bootstrapAccounts(rows, deps, logger),
  };
}
