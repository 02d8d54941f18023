import { invalid, refusal, success, type Result } from '@gjm/core/problem.js';
import { readFields } from '@gjm/core/field-problems.js';
import { loginSchema } from './input.js';
import { HashingBusy, type Passwords } from './password.js';
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
  try {
    const isRight = await deps.passwords.verify(account?.passwordHash ?? null, password);
    if (!account || !isRight || account.isDisabled) return badCredentials;
  } catch (error) {
    if (error instanceof HashingBusy) return rateLimited(1_000);
    throw error;
  }
  await deps.tries.succeed('login', email, address);
  return success(await deps.sessions.open(account.viewer));
}
