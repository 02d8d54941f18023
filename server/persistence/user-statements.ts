import type { Statement } from './database.js';

const accountColumns = `
  users.id, email, name, role, password_hash IS NOT NULL AS has_password, disabled_at, users.created_at,
  (SELECT max(rotated_at) FROM sessions WHERE user_id = users.id) AS last_seen_at`;

export const findAccount: Statement = {
  name: 'find-account',
  text: `SELECT ${accountColumns} FROM users WHERE users.id = $1`,
};

/** Newest first: ids sort by creation. $1 limits it to one user, $2 is a pattern, $3 the text as it was given, $4 the last id of the page before. */
export const listAccounts: Statement = {
  name: 'list-accounts',
  text: `
SELECT ${accountColumns} FROM users
WHERE ($1::text IS NULL OR id = $1)
  AND ($2::text IS NULL OR name ILIKE $2 OR email ILIKE $2 OR id = $3)
  AND ($4::text IS NULL OR id < $4)
ORDER BY id DESC LIMIT $5`,
};

export const findPassword: Statement = {
  name: 'find-password',
  text: `SELECT password_hash FROM users WHERE id = $1 AND disabled_at IS NULL`,
};

/** Keeps the password as it is until the end of the transaction; a row when it is still this one. */
export const holdPassword: Statement = {
  name: 'hold-password',
  text: `SELECT id FROM users WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL FOR SHARE`,
};

/** Compare-and-set: of two changes at once that knew the same password, one counts. */
export const replacePassword: Statement = {
  name: 'replace-password',
  text: `
UPDATE users SET password_hash = $3
WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 AND disabled_at IS NULL RETURNING id`,
};

export const clearPassword: Statement = {
  name: 'clear-password',
  text: `UPDATE users SET password_hash = NULL WHERE id = $1 RETURNING id`,
};

/** Ends the live sessions of a user, except one when it is named. */
export const revokeSessions: Statement = {
  name: 'revoke-sessions',
  text: `
UPDATE sessions SET revoked_at = clock_timestamp()
WHERE user_id = $1 AND id IS DISTINCT FROM $2 AND revoked_at IS NULL RETURNING id`,
};

/** A live session's next refresh token, which follows from no earlier one. */
export const renewSession: Statement = {
  name: 'renew-session',
  text: `
UPDATE sessions SET
  previous_hash = NULL,
  current_hash = $2,
  rotated_at = clock_timestamp(),
  expires_at = clock_timestamp() + $3 * interval '1 second'
WHERE id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp() RETURNING expires_at`,
};

/** A sign-in link for one user. */
export const insertUserToken: Statement = {
  name: 'insert-user-token',
  text: `
INSERT INTO one_time_tokens (hash, purpose, role, user_id, expires_at)
SELECT $1, 'SIGN_IN', role, id, clock_timestamp() + $3 * interval '1 second' FROM users WHERE id = $2
RETURNING expires_at`,
};

/** Makes the open links of a user useless. */
export const voidUserTokens: Statement = {
  name: 'void-user-tokens',
  text: `UPDATE one_time_tokens SET used_at = clock_timestamp() WHERE user_id = $1 AND used_at IS NULL`,
};

export const hasOtherAdmin: Statement = {
  name: 'has-other-admin',
  text: `SELECT EXISTS (SELECT FROM users WHERE role = 'ADMIN' AND disabled_at IS NULL AND id <> $1) AS yes`,
};

export const updateUser: Statement = {
  name: 'update-user',
  text: `
UPDATE users SET role = $2, disabled_at = CASE WHEN $3 THEN coalesce(disabled_at, clock_timestamp()) END
WHERE id = $1`,
};
