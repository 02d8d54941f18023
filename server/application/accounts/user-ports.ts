import type { Viewer } from '@gjm/core/access/policy.js';

/** An account as its owner and an ADMIN see it. */
export interface UserAccount extends Viewer {
  /** False for an account that signs in by link only. */
  hasPassword: boolean;
  isDisabled: boolean;
  createdAt: Date;
  /** Of the last sign-in or refresh; null when there was none. */
  lastSeenAt: Date | null;
}

/** The user alone. */
export const viewerOf = ({ id, email, name, role }: Viewer): Viewer => ({ id, email, name, role });

/** A page of accounts, newest first. */
export interface UserPage {
  /** The one user it is limited to; from the access policy, never from the caller. */
  ownerScope: string | null;
  /** Part of the name or e-mail, or an id. */
  text: string | null;
  /** The last id of the page before. */
  after: string | null;
  limit: number;
}

/** What is read of users and of their passwords. */
export interface UserRows {
  listAccounts(page: UserPage): Promise<UserAccount[]>;
  /** The password's hash, null in it for none; null for an unknown or disabled user. */
  findPassword(userId: string): Promise<{ hash: string | null } | null>;
  /** By compare-and-set; false when the password is not `from` any more. */
  replacePassword(userId: string, from: string | null, to: string): Promise<boolean>;
}

/** What changes a user, within one transaction. */
export interface UserTransaction extends Pick<UserRows, 'replacePassword'> {
  findAccount(userId: string): Promise<UserAccount | null>;
  /** Whether the password is still this one; nobody changes it until the end of the transaction. */
  holdPassword(userId: string, hash: string): Promise<boolean>;
  /** False for an unknown user. */
  clearPassword(userId: string): Promise<boolean>;
  /** Ends the user's sessions, except one if named; the ids of those that ended. */
  revokeSessions(userId: string, exceptId: string | null): Promise<string[]>;
  /** Gives a live session another refresh token; its new end, or null when it has ended. */
  renewSession(id: string, tokenHash: string, lifeSeconds: number): Promise<Date | null>;
  /** A sign-in link for this user; the end of its life. */
  insertUserToken(hash: string, userId: string, lifeSeconds: number): Promise<Date>;
  /** Makes the user's open links useless. */
  voidUserTokens(userId: string): Promise<void>;
  /** Whether somebody else is ADMIN and not disabled. */
  hasOtherAdmin(userId: string): Promise<boolean>;
  updateUser(userId: string, role: Viewer['role'], isDisabled: boolean): Promise<void>;
}
