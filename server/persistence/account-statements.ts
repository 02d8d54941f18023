import { linkAccountEmail } from '../application/accounts/input.js';
import type { Statement } from './database.js';

/** Key of the advisory lock that lets one registration at a time decide who is first, and one change of roles who is the last ADMIN. */
const accountsLock = 7_203_001;

export const lockAccounts: Statement = {
  name: 'lock-accounts',
  text: `SELECT pg_advisory_xact_lock(${accountsLock})`,
};

/** Not by the password: one that was reset is gone for a while. */
export const hasRegisteredUsers: Statement = {
  name: 'has-registered-users',
  text: `SELECT EXISTS (SELECT FROM users WHERE email <> '${linkAccountEmail}') AS yes`,
};

/** Compare-and-set: of two that use one token at once, one gets what it gives. A disabled user's token stays unused. */
export const useToken: Statement = {
  name: 'use-token',
  text: `
UPDATE one_time_tokens SET used_at = clock_timestamp()
WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > clock_timestamp()
  AND NOT EXISTS (SELECT FROM users WHERE users.id = user_id AND disabled_at IS NOT NULL)
RETURNING role, user_id`,
};

export const hasOpenAdminInvite: Statement = {
  name: 'has-open-admin-invite',
  text: `
SELECT EXISTS (
  SELECT FROM one_time_tokens
  WHERE purpose = 'INVITE' AND role = 'ADMIN' AND used_at IS NULL AND expires_at > clock_timestamp()
) AS yes`,
};

export const insertToken: Statement = {
  name: 'insert-token',
  text: `
INSERT INTO one_time_tokens (hash, purpose, role, expires_at)
VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')
ON CONFLICT DO NOTHING RETURNING expires_at`,
};

export const insertUser: Statement = {
  name: 'insert-user',
  text: `
INSERT INTO users (id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
};

export const findByEmail: Statement = {
  name: 'find-user-by-email',
  text: `SELECT id, email, name, role, password_hash, disabled_at FROM users WHERE lower(email) = lower($1)`,
};

export const insertSession: Statement = {
  name: 'insert-session',
  text: `
INSERT INTO sessions (id, user_id, current_hash, expires_at)
VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 second') RETURNING expires_at`,
};

/** Read on nearly every request of a client, once in two seconds. */
export const findSessionViewer: Statement = {
  name: 'find-session-viewer',
  text: `
SELECT users.id, users.email, users.name, users.role
FROM sessions JOIN users ON users.id = sessions.user_id
WHERE sessions.id = $1 AND sessions.revoked_at IS NULL AND sessions.expires_at > clock_timestamp() AND users.disabled_at IS NULL`,
};

export const filterLiveSessions: Statement = {
  name: 'filter-live-sessions',
  text: `
SELECT sessions.id
FROM sessions JOIN users ON users.id = sessions.user_id
WHERE sessions.id = ANY($1) AND sessions.revoked_at IS NULL AND sessions.expires_at > clock_timestamp() AND users.disabled_at IS NULL`,
};

/** Compare-and-set on the hash: of two refreshes with one token, one rotates; the other finds that token in previous_hash. */
export const rotateSession: Statement = {
  name: 'rotate-session',
  text: `
UPDATE sessions SET
  previous_hash = current_hash,
  current_hash = $3,
  rotated_at = clock_timestamp(),
  expires_at = clock_timestamp() + $4 * interval '1 second'
WHERE id = $1 AND current_hash = $2 AND revoked_at IS NULL AND expires_at > clock_timestamp()
RETURNING user_id, expires_at`,
};

export const findSession: Statement = {
  name: 'find-session',
  text: `
SELECT user_id, current_hash, previous_hash, expires_at,
  rotated_at > clock_timestamp() - $2 * interval '1 second' AS is_fresh,
  revoked_at IS NULL AND expires_at > clock_timestamp() AS is_live
FROM sessions WHERE id = $1`,
};

export const revokeSession: Statement = {
  name: 'revoke-session',
  text: `UPDATE sessions SET revoked_at = clock_timestamp() WHERE id = $1 AND revoked_at IS NULL`,
};

export const insertWorkerToken: Statement = {
  name: 'insert-worker-token',
  text: `INSERT INTO worker_tokens (hash, name) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
};
