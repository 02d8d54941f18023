import { invalid, refusal, success, type Result } from '@gjm/core/problem.js';
import type { Viewer } from '@gjm/core/access/policy.js';
import { newId } from '../new-id.js';
import { readFields } from '@gjm/core/field-problems.js';
import { linkAccountEmail, registerSchema } from './input.js';
import { HashingBusy, type Passwords } from './password.js';
import type { AccountRows, AccountTransaction } from './ports.js';
import { hashToken } from './secret-token.js';
import type { SignIn, Sessions } from './sessions.js';
import { rateLimited, type SignInTries } from './sign-in-tries.js';

/** Whether one can make an account here, and whether it would be the first one. */
export interface Registration {
  mode: 'open' | 'invite' | 'closed';
  isFirst: boolean;
}

interface RegisterDeps {
  rows: AccountRows;
  passwords: Passwords;
  sessions: Sessions;
  tries: SignInTries;
  registration: 'open' | 'invite' | 'closed';
  /** Whether rights hang on this address: it takes an invite also where registration is open. */
  isNamedAddress: (email: string) => boolean;
}

const emailTaken = refusal({
  type: 'ConflictProblem',
  code: 'EMAIL_TAKEN',
  message: 'This e-mail has an account.',
});
const needsInvite = invalid([
  {
    path: ['email'],
    message: 'is named by the operator and can only be registered with an invite of an administrator',
  },
]);
const forbidden = (message: string) => refusal({ type: 'ForbiddenProblem', code: 'FORBIDDEN', message });

/**
 * Makes an account and signs it in. The first account that is registered is ADMIN. An e-mail that is taken costs one of the address's
 * tries, so that accounts can not be listed at speed; so does one that the operator names.
 */
export async function register(deps: RegisterDeps, input: unknown, address: string): Promise<Result<SignIn>> {
  const read = readFields(registerSchema, input);
  if (!read.ok) return invalid(read.fields);
  const { email, password, name, invite } = read.value;
  if (deps.registration !== 'open' && !invite) return forbidden('Registration needs an invite.');
  const refused = await deps.tries.take('register', null, address);
  if (refused) return refused;
  if (email === linkAccountEmail) return emailTaken;
  let passwordHash: string;
  try {
    passwordHash = await deps.passwords.hash(password);
  } catch (error) {
    if (error instanceof HashingBusy) return rateLimited(1_000);
    throw error;
  }
  const user = { id: newId('user'), email, name: name || (email.split('@')[0] ?? email), passwordHash };
  const made = await createAccount(deps, user, invite ?? null);
  if (made.ok) await deps.tries.succeed('register', null, address);
  return made;
}

interface NewAccount {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
}

/** A refusal rolls everything back, so that an invite is not used up by it. */
class Refused extends Error {
  constructor(readonly result: Result<never>) {
    super('refused');
  }
}

async function createAccount(
  deps: RegisterDeps,
  account: NewAccount,
  invite: string | null,
): Promise<Result<SignIn>> {
  try {
    return await deps.rows.transaction(async (rows) => {
      await rows.lockAccounts();
      const role = await roleFor(deps, rows, account.email, invite);
      if (!(await rows.insertUser({ ...account, role }))) throw new Refused(emailTaken);
      return success(
        await deps.sessions.open({ id: account.id, email: account.email, name: account.name, role }, rows),
      );
    });
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}

async function roleFor(
  deps: RegisterDeps,
  rows: AccountTransaction,
  email: string,
  invite: string | null,
): Promise<Viewer['role']> {
  const isFirst = !(await rows.hasRegisteredUsers());
  if (deps.registration === 'closed' && !isFirst) throw new Refused(forbidden('Registration is closed.'));
  // Nobody proves that an address is theirs. All invites come from administrators, or from the operator.
  if (!isFirst && invite === null && deps.isNamedAddress(email)) throw new Refused(needsInvite);
  const invited = invite === null ? null : await rows.useToken(hashToken(invite), 'INVITE');
  if (invite !== null && invited === null)
    throw new Refused(forbidden('This invite is unknown, used or expired.'));
  return isFirst ? 'ADMIN' : (invited?.role ?? 'USER');
}

/** Whether the first account is still to be registered. Once made it stays, so that strangers who ask cost no statement. */
export function createFirstLook(rows: Pick<AccountRows, 'hasRegisteredUsers'>) {
  let isMade = false;
  return async (): Promise<boolean> => {
    isMade ||= await rows.hasRegisteredUsers();
    return !isMade;
  };
}
