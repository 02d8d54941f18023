import type { Viewer } from '@gjm/core/access/policy.js';
import type { UserRows, UserTransaction } from './user-ports.js';

export interface NewUser {
  id: string;
  /** Trimmed, lower case. */
  email: string;
  name: string;
  role: Viewer['role'];
  /** PHC string; null for an account that signs in by link only. */
  passwordHash: string | null;
}

export interface NewSession {
  id: string;
  userId: string;
  /** SHA-256 of the refresh token, hex. */
  tokenHash: string;
  lifeSeconds: number;
}

/** A session as refresh sees it; `isFresh` says that the last rotation was at most the replay window ago. */
export interface SessionState {
  userId: string;
  currentHash: string;
  previousHash: string | null;
  isFresh: boolean;
  isLive: boolean;
}

export type TokenPurpose = 'INVITE' | 'SIGN_IN';

/** What a one-time token gives: a role, or the account of one user. */
export interface UsedToken {
  role: Viewer['role'];
  userId: string | null;
}

/** What accounts write within one transaction. */
export interface AccountTransaction extends UserTransaction {
  /** Holds back every other registration and change of roles until the end of the transaction. */
  lockAccounts(): Promise<void>;
  /** Whether anybody has an account besides the one of links. */
  hasRegisteredUsers(): Promise<boolean>;
  /** Uses a token up. What it gives, or null when it is unknown, used or expired, or its user is disabled. */
  useToken(hash: string, purpose: TokenPurpose): Promise<UsedToken | null>;
  /** False when the e-mail is taken. */
  insertUser(user: NewUser): Promise<boolean>;
  findByEmail(email: string): Promise<Viewer | null>;
  insertSession(session: NewSession): Promise<Date>;
  /** Whether an invite that makes an ADMIN is still open. */
  hasOpenAdminInvite(): Promise<boolean>;
  insertToken(
    hash: string,
    purpose: TokenPurpose,
    role: Viewer['role'],
    lifeSeconds: number,
  ): Promise<Date | null>;
}

/** Accounts in the database. Times are the database's. */
export interface AccountRows extends UserRows {
  transaction<T>(work: (rows: AccountTransaction) => Promise<T>): Promise<T>;
  findSignIn(
    email: string,
  ): Promise<{ viewer: Viewer; passwordHash: string | null; isDisabled: boolean } | null>;
  /** Whether anybody has an account besides the one of links. */
  hasRegisteredUsers(): Promise<boolean>;
  insertSession(session: NewSession): Promise<Date>;
  /** The owner of a live session whose user is not disabled. */
  findSessionViewer(sessionId: string): Promise<Viewer | null>;
  findViewer(userId: string): Promise<Viewer | null>;
  /** Those of `sessionIds` that are live. */
  filterLiveSessions(sessionIds: string[]): Promise<string[]>;
  /** Replaces the token hash by compare-and-set; the session's user and new end, or null when `from` is not the current one of a live session. */
  rotateSession(
    id: string,
    from: string,
    to: string,
    lifeSeconds: number,
  ): Promise<{ userId: string; expiresAt: Date } | null>;
  findSession(id: string, replaySeconds: number): Promise<(SessionState & { expiresAt: Date }) | null>;
  revokeSession(id: string): Promise<void>;
  /** The end of the token's life, or null when it exists already: nothing is changed then. */
  insertToken(
    hash: string,
    purpose: TokenPurpose,
    role: Viewer['role'],
    lifeSeconds: number,
  ): Promise<Date | null>;
  insertWorkerToken(hash: string, name: string): Promise<void>;
  isWorkerToken(hash: string): Promise<boolean>;
}

/** Counts tries under a key within a window. */
export interface TriesLimiter {
  /** Takes one try. 0 when there was one left, else the ms to wait. */
  take(key: string): Promise<number>;
  /** Gives one try back. */
  giveBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}
