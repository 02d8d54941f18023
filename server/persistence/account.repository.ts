import { IsNull, type DataSource } from 'typeorm';
import type { Viewer } from '@gjm/core/access/policy.js';
import type { AccountRows, AccountTransaction, NewSession } from '../application/accounts/ports.js';
import { UserEntity, WorkerTokenEntity } from './account.entity.js';
import { viewerOf } from '../application/accounts/user-ports.js';
import { createUserRows, usersWithin } from './user-rows.js';
import * as statements from './account-statements.js';
import type { Database, Statement, TransactionalDatabase } from './database.js';

interface UserRow extends Viewer {
  password_hash: string | null;
  disabled_at: Date | null;
}

/** Accounts in Postgres. Single rows by key are read through TypeORM; what must be one atomic step is a statement. */
export function createAccountRows(dataSource: DataSource, database: TransactionalDatabase): AccountRows {
  const users = dataSource.getRepository(UserEntity);
  const workerTokens = dataSource.getRepository(WorkerTokenEntity);
  return {
    transaction: (work) => database.transaction((within) => work(withinTransaction(within))),
    async findSignIn(email) {
      const [row] = await database.run<UserRow>(statements.findByEmail, [email]);
      return row
        ? { viewer: viewerOf(row), passwordHash: row.password_hash, isDisabled: row.disabled_at !== null }
        : null;
    },
    ...createUserRows(database),
    hasRegisteredUsers: () => holds(database, statements.hasRegisteredUsers),
    insertSession: (session) => insertSession(database, session),
    async findSessionViewer(sessionId) {
      const [row] = await database.run<Viewer & object>(statements.findSessionViewer, [sessionId]);
      return row ? viewerOf(row) : null;
    },
    async findViewer(userId) {
      const user = await users.findOneBy({ id: userId, disabledAt: IsNull() });
      return user && viewerOf(user);
    },
    async filterLiveSessions(sessionIds) {
      const rows = await database.run<{ id: string }>(statements.filterLiveSessions, [sessionIds]);
      return rows.map((row) => row.id);
    },
    async rotateSession(id, from, to, lifeSeconds) {
      const [row] = await database.run<{ user_id: string; expires_at: Date }>(statements.rotateSession, [
        id,
        from,
        to,
        lifeSeconds,
      ]);
      return row ? { userId: row.user_id, expiresAt: row.expires_at } : null;
    },
    findSession: (id, replaySeconds) => findSession(database, id, replaySeconds),
    async revokeSession(id) {
      await database.run(statements.revokeSession, [id]);
    },
    insertToken: (...token) => insertToken(database, ...token),
    async insertWorkerToken(hash, name) {
      await database.run(statements.insertWorkerToken, [hash, name]);
    },
    isWorkerToken: (hash) => workerTokens.existsBy({ hash, revokedAt: IsNull() }),
  };
}

function withinTransaction(database: Database): AccountTransaction {
  return {
    ...usersWithin(database),
    async lockAccounts() {
      await database.run(statements.lockAccounts, []);
    },
    hasRegisteredUsers: () => holds(database, statements.hasRegisteredUsers),
    hasOpenAdminInvite: () => holds(database, statements.hasOpenAdminInvite),
    async useToken(hash, purpose) {
      const [row] = await database.run<{ role: Viewer['role']; user_id: string | null }>(
        statements.useToken,
        [hash, purpose],
      );
      return row ? { role: row.role, userId: row.user_id } : null;
    },
    async insertUser({ id, email, name, role, passwordHash }) {
      return (await database.run(statements.insertUser, [id, email, name, role, passwordHash])).length === 1;
    },
    async findByEmail(email) {
      const [row] = await database.run<UserRow>(statements.findByEmail, [email]);
      return row ? viewerOf(row) : null;
    },
    insertSession: (session) => insertSession(database, session),
    insertToken: (...token) => insertToken(database, ...token),
  };
}

async function holds(database: Database, statement: Statement): Promise<boolean> {
  const [row] = await database.run<{ yes: boolean }>(statement, []);
  return row?.yes ?? false;
}

async function insertSession(database: Database, session: NewSession): Promise<Date> {
  const values = [session.id, session.userId, session.tokenHash, session.lifeSeconds];
  const [row] = await database.run<{ expires_at: Date }>(statements.insertSession, values);
  if (!row) throw new Error('The session was not stored.');
  return row.expires_at;
}

async function insertToken(
  database: Database,
  ...token: Parameters<AccountRows['insertToken']>
): Promise<Date | null> {
  const [row] = await database.run<{ expires_at: Date }>(statements.insertToken, token);
  return row?.expires_at ?? null;
}

interface SessionRow {
  user_id: string;
  current_hash: string;
  previous_hash: string | null;
  expires_at: Date;
  is_fresh: boolean;
  is_live: boolean;
}

async function findSession(database: Database, id: string, replaySeconds: number) {
  const [row] = await database.run<SessionRow>(statements.findSession, [id, replaySeconds]);
  return row
    ? {
        userId: row.user_id,
        currentHash: row.current_hash,
        previousHash: row.previous_hash,
        expiresAt: row.expires_at,
        isFresh: row.is_fresh,
        isLive: row.is_live,
      }
    : null;
}
