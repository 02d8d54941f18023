import { invalid, success, type Result } from '@gjm/core/problem.js';
import type { Viewer } from '@gjm/core/access/policy.js';
import { readFields } from '@gjm/core/field-problems.js';
import { adminOnly } from './admin-only.js';
import { inviteSchema, workerTokenSchema } from './input.js';
import type { AccountRows } from './ports.js';
import { hashToken, makeToken } from './secret-token.js';
import { createLookCache } from './viewers.js';

/** Tells whether a token is a worker's, from a look at most 2 s old. */
export function createWorkerTokenVerifier(rows: Pick<AccountRows, 'isWorkerToken'>) {
  const looks = createLookCache<boolean>((hash) => rows.isWorkerToken(hash));
  return async (token: string): Promise<boolean> => {
    if (!/^gjmw_.{32,200}$/.test(token)) return false;
    const hash = hashToken(token);
    const isKnown = await looks.get(hash);
    if (!isKnown) looks.forget(hash); // a token made a moment from now must work at once
    return isKnown;
  };
}

/** A token that lets machines join as workers; shown once. */
export async function createWorkerToken(
  rows: Pick<AccountRows, 'insertWorkerToken'>,
  viewer: Viewer,
  input: unknown,
): Promise<Result<{ token: string }>> {
  if (viewer.role !== 'ADMIN') return adminOnly;
  const read = readFields(workerTokenSchema, input);
  if (!read.ok) return invalid(read.fields);
  const token = makeToken('gjmw');
  await rows.insertWorkerToken(hashToken(token), read.value.name);
  return success({ token });
}

/** A token that lets one person register; shown once. */
export async function createInvite(
  rows: Pick<AccountRows, 'insertToken'>,
  viewer: Viewer,
  input: unknown,
): Promise<Result<{ invite: string; expiresAt: Date }>> {
  if (viewer.role !== 'ADMIN') return adminOnly;
  const read = readFields(inviteSchema, input);
  if (!read.ok) return invalid(read.fields);
  const invite = makeToken('gjmi');
  const expiresAt = await rows.insertToken(
    hashToken(invite),
    'INVITE',
    read.value.role,
    read.value.hours * 3_600,
  );
  if (expiresAt === null) throw new Error('Two random invites were equal.');
  return success({ invite, expiresAt });
}
