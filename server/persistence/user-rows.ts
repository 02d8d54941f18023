import type { Viewer } from '@gjm/core/access/policy.js';
import type { UserAccount, UserRows, UserTransaction } from '../application/accounts/user-ports.js';
import type { Database } from './database.js';
import { likePattern } from './like-pattern.js';
import * as statements from './user-statements.js';

interface AccountRow extends Viewer {
  has_password: boolean;
  disabled_at: Date | null;
  created_at: Date;
  last_seen_at: Date | null;
}

const accountOf = ({ id, email, name, role, ...row }: AccountRow): UserAccount => ({
  id,
  email,
  name,
  role,
  hasPassword: row.has_password,
  isDisabled: row.disabled_at !== null,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
});

async function replacePassword(database: Database, id: string, from: string | null, to: string) {
  return (await database.run(statements.replacePassword, [id, from, to])).length === 1;
}

/** Reads of accounts as their owners and an ADMIN see them, and of passwords. */
export function createUserRows(database: Database): UserRows {
  return {
    async listAccounts({ ownerScope, text, after, limit }) {
      const values = [ownerScope, text === null ? null : likePattern(text), text, after, limit];
      return (await database.run<AccountRow>(statements.listAccounts, values)).map(accountOf);
    },
    async findPassword(userId) {
      const [row] = await database.run<{ password_hash: string | null }>(statements.findPassword, [userId]);
      return row ? { hash: row.password_hash } : null;
    },
    replacePassword: (...change) => replacePassword(database, ...change),
  };
}

/** What changes a user, within one transaction. */
export function usersWithin(database: Database): UserTransaction {
  return {
    async findAccount(userId) {
      const [row] = await database.run<AccountRow>(statements.findAccount, [userId]);
      return row ? accountOf(row) : null;
    },
    async holdPassword(userId, hash) {
      return (await database.run(statements.holdPassword, [userId, hash])).length === 1;
    },
    replacePassword: (...change) => replacePassword(database, ...change),
    async clearPassword(userId) {
      return (await database.run(statements.clearPassword, [userId])).length === 1;
    },
    async revokeSessions(userId, exceptId) {
      const rows = await database.run<{ id: string }>(statements.revokeSessions, [userId, exceptId]);
      return rows.map(({ id }) => id);
    },
    async renewSession(id, tokenHash, lifeSeconds) {
      const values = [id, tokenHash, lifeSeconds];
      const [row] = await database.run<{ expires_at: Date }>(statements.renewSession, values);
      return row?.expires_at ?? null;
    },
    async insertUserToken(hash, userId, lifeSeconds) {
      const values = [hash, userId, lifeSeconds];
      const [row] = await database.run<{ expires_at: Date }>(statements.insertUserToken, values);
      if (!row) throw new Error('The token was not stored.');
      return row.expires_at;
    },
    async voidUserTokens(userId) {
      await database.run(statements.voidUserTokens, [userId]);
    },
    async hasOtherAdmin(userId) {
      const [row] = await database.run<{ yes: boolean }>(statements.hasOtherAdmin, [userId]);
      return row?.yes ?? false;
    },
    async updateUser(userId, role, isDisabled) {
      await database.run(statements.updateUser, [userId, role, isDisabled]);
    },
  };
}
