import { success, type Result } from '@gjm/core/problem.js';
import { newId } from '../new-id.js';
import { linkAccountEmail } from './input.js';
import { badCredentials } from './login.js';
import type { AccountRows } from './ports.js';
import { hashToken } from './secret-token.js';
import type { SignIn, Sessions } from './sessions.js';
import type { SignInTries } from './sign-in-tries.js';

interface LinkDeps {
  rows: AccountRows;
  sessions: Sessions;
  tries: SignInTries;
}

/** Signs in `admin@localhost` by a one-time token. The account, which has no password, is made by the first link that is redeemed. */
export async function redeemSignInLink(
  deps: LinkDeps,
  token: string,
  address: string,
): Promise<Result<SignIn>> {
  const refused = await deps.tries.take('link', null, address);
  if (refused) return refused;
  const signIn = await deps.rows.transaction(async (rows) => {
    const role = await rows.useToken(hashToken(token), 'SIGN_IN');
    if (role === null) return null;
    const account = { id: newId('user'), email: linkAccountEmail, name: 'Administrator', role };
    await rows.insertUser({ ...account, passwordHash: null });
    return deps.sessions.open((await rows.findByEmail(linkAccountEmail)) ?? account, rows);
  });
  if (signIn === null) return badCredentials;
  await deps.tries.succeed('link', null, address);
  return success(signIn);
}
