import type { Viewer } from '@gjm/core/access/policy.js';
import { invalid, refusal, success, type Result } from '@gjm/core/problem.js';
import { readFields } from '@gjm/core/field-problems.js';
import { loginSchema } from './input.js';
import { HashingBusy, isOutdated, type Passwords } from './password.js';
import type { AccountRows } from './ports.js';
import type { SignIn, Sessions } from './sessions.js';
import { rateLimited, type SignInTries } from './sign-in-tries.js';

export const badCredentials = refusal({
  type: 'UnauthenticatedProblem',
  code: 'BAD_CREDENTIALS',
  message: 'E-mail or password is wrong.',
});

interface LoginDeps {
  rows: AccountRows;
  passwords: Passwords;
  sessions: Sessions;
  tries: SignInTries;
}

/** Signs in by password. Unknown, disabled and password-less accounts cost and answer the same as a wrong password. */
export async function login(deps: LoginDeps, input: unknown, address: string): Promise<Result<SignIn>> {
  const read = readFields(loginSchema, input);
  if (!read.ok) return invalid(read.fields);
  const { email, password } = read.value;
  const refused = await deps.tries.take('login', email, address);
  if (refused) return refused;
  const account = await deps.rows.findSignIn(email);
  const hash = account?.passwordHash ?? null;
  return whileHashing(async () => {
    const isRight = await deps.passwords.verify(hash, password);
    if (!account || hash === null || !isRight || account.isDisabled) return badCredentials;
    const signIn = await open(deps, account.viewer, await renewHash(deps, account.viewer.id, hash, password));
    if (signIn === null) return badCredentials;
    await deps.tries.succeed('login', email, address);
    return success(signIn);
  });
}

/** Null when the password was changed meanwhile: what was right a moment ago must leave no session behind. */
const open = ({ rows, sessions }: LoginDeps, viewer: Viewer, hash: string): Promise<SignIn | null> =>
  rows.transaction(async (within) =>
    (await within.holdPassword(viewer.id, hash)) ? sessions.open(viewer, within) : null,
  );

/** Stores a hash by the parameters of today while the password is at hand; the hash that holds now. */
async function renewHash(deps: LoginDeps, userId: string, hash: string, password: string): Promise<string> {
  if (!isOutdated(hash)) return hash;
  const fresh = await deps.passwords.hash(password);
  return (await deps.rows.replacePassword(userId, hash, fresh)) ? fresh : hash;
}

/** Work with passwords; a server that is too busy with them says when to come back. */
export async function whileHashing<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HashingBusy) return rateLimited(1_000);
    throw error;
  }
}
