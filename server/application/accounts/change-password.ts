import type { Viewer } from '@gjm/core/access/policy.js';
import { readFields } from '@gjm/core/field-problems.js';
import { invalid, refusal, success, type Result } from '@gjm/core/problem.js';
import { passwordChangeSchema } from './input.js';
import { whileHashing } from './login.js';
import type { Passwords } from './password.js';
import type { AccountRows } from './ports.js';
import { badToken, type SignIn, type Sessions } from './sessions.js';
import type { SignInTries } from './sign-in-tries.js';

interface PasswordDeps {
  rows: AccountRows;
  passwords: Passwords;
  sessions: Sessions;
  tries: SignInTries;
}

/** Who changes a password, in which session and from where. */
export interface PasswordOwner {
  viewer: Viewer;
  sessionId: string;
  address: string;
}

const wrongPassword = refusal({
  type: 'UnauthenticatedProblem',
  code: 'BAD_CREDENTIALS',
  message: 'The current password is wrong.',
});

/**
 * Sets another password, or the first one of an account that has none. A wrong current one costs a try, as at sign-in. All other sessions
 * and open links of the user end; this session goes on with fresh tokens.
 */
export async function changePassword(
  deps: PasswordDeps,
  owner: PasswordOwner,
  input: unknown,
): Promise<Result<SignIn>> {
  const read = readFields(passwordChangeSchema, input);
  if (!read.ok) return invalid(read.fields);
  const { current, new: wanted } = read.value;
  const { viewer, address } = owner;
  const held = await deps.rows.findPassword(viewer.id);
  if (held === null) return badToken;
  if (held.hash !== null && current === null) return invalid([{ path: ['current'], message: 'is needed' }]);
  const refused = await deps.tries.take('login', viewer.email, address);
  if (refused) return refused;
  return whileHashing(async () => {
    const isRight = current === null || (await deps.passwords.verify(held.hash, current));
    if (!isRight) return wrongPassword;
    const changed = await store(deps, owner, held.hash, await deps.passwords.hash(wanted));
    if (changed.ok) await deps.tries.succeed('login', viewer.email, address);
    return changed;
  });
}

/** A refusal rolls everything back. */
class Refused extends Error {
  constructor(readonly result: Result<never>) {
    super('refused');
  }
}

async function store(
  { rows, sessions }: PasswordDeps,
  { viewer, sessionId }: PasswordOwner,
  from: string | null,
  to: string,
): Promise<Result<SignIn>> {
  try {
    const { signIn, ended } = await rows.transaction(async (within) => {
      if (!(await within.replacePassword(viewer.id, from, to))) throw new Refused(wrongPassword);
      const renewed = await sessions.renew(viewer, sessionId, within);
      if (renewed === null) throw new Refused(badToken);
      await within.voidUserTokens(viewer.id);
      return { signIn: renewed, ended: await within.revokeSessions(viewer.id, sessionId) };
    });
    sessions.tellEnded(ended);
    return success(signIn);
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}
