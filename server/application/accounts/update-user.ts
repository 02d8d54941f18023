import type { Viewer } from '@gjm/core/access/policy.js';
import { readFields } from '@gjm/core/field-problems.js';
import { parseId } from '@gjm/core/ids.js';
import { invalid, notFoundProblem, refusal, success, type Result } from '@gjm/core/problem.js';
import { adminOnly } from './admin-only.js';
import { userUpdateSchema } from './input.js';
import type { AccountRows, AccountTransaction } from './ports.js';
import type { Sessions } from './sessions.js';
import type { UserAccount } from './user-ports.js';
import type { Viewers } from './viewers.js';

interface UpdateDeps {
  rows: AccountRows;
  sessions: Sessions;
  viewers: Viewers;
}

const lastAdmin = refusal({
  type: 'ConflictProblem',
  code: 'LAST_ADMIN',
  message: 'This is the last active ADMIN.',
});

type Change = { role: Viewer['role'] | null; disabled: boolean | null };
type Outcome = { account: UserAccount; ended: string[] };

const isActiveAdmin = ({ role, isDisabled }: Pick<UserAccount, 'role' | 'isDisabled'>): boolean =>
  role === 'ADMIN' && !isDisabled;

/**
 * Changes a user's role, or disables or enables them. Whoever loses rights by it loses their sessions and sockets at once; rights that are
 * won hold within two seconds.
 */
export async function updateUser(
  { rows, sessions, viewers }: UpdateDeps,
  viewer: Viewer,
  input: unknown,
): Promise<Result<UserAccount>> {
  if (viewer.role !== 'ADMIN') return adminOnly;
  const read = readFields(userUpdateSchema, input);
  if (!read.ok) return invalid(read.fields);
  const id = parseId('user', read.value.id);
  if (!id) return notFoundProblem('user');
  const updated = await rows.transaction((within) => change(within, id, read.value));
  if (!updated.ok) return updated;
  const { account, ended } = updated.value;
  viewers.forgetUser(id);
  sessions.tellEnded(ended);
  return success(account);
}

async function change(
  within: AccountTransaction,
  id: string,
  { role, disabled }: Change,
): Promise<Result<Outcome>> {
  await within.lockAccounts();
  const before = await within.findAccount(id);
  if (before === null) return notFoundProblem('user');
  const after = { ...before, role: role ?? before.role, isDisabled: disabled ?? before.isDisabled };
  const losesAdmin = isActiveAdmin(before) && !isActiveAdmin(after);
  if (losesAdmin && !(await within.hasOtherAdmin(id))) return lastAdmin;
  await within.updateUser(id, after.role, after.isDisabled);
  const ended = losesAdmin || after.isDisabled ? await within.revokeSessions(id, null) : [];
  return success({ account: after, ended });
}
