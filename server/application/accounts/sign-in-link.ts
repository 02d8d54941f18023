import { success, type Result } from '@gjm/core/problem.js';
import { newId } from '../new-id.js';
import { linkAccountEmail } from './input.js';
import { badCredentials } from './login.js';
import type { AccountRows } from './ports.js';
import { hashToken } from './secret-token.js';
import type { SignIn, Sessions } from './sessions.js';
import type { SignInTries } from './sign-in-tries.js';
import { viewerOf } from './user-ports.js';

interface LinkDeps {
  rows: AccountRows;
  sessions: Sessions;
  tries: SignInTries;
}

/**
 * Signs in by a one-time token: the user that an ADMIN made it for, else `admin@localhost`. That account, which has no password, is made
 * by the first link that is redeemed.
 */
export async function redeemSignInLink(
  deps: LinkDeps,
  token: string,
  address: string,
): Promise<Result<SignIn>> {
  const refused = await deps.tries.take('link', null, address);
  if (refused) return refused;
  const signIn = await deps.rows.transaction(async (rows) => {
    const used = await rows.useToken(hashToken(token), 'SIGN_IN');
    if (used === null) return null;
    const { role, userId } = used;
    const user = userId === null ? null : await rows.findAccount(userId);
    if (user) return deps.sessions.open(viewerOf(user), rows);
    const account = { id: newId('user'), email: linkAccountEmail, name: 'Administrator', role };
    await rows.insertUser({ ...account, passwordHash: null });
    return deps.sessions.open((await rows.findByEmail(linkAccountEmail)) ?? account, rows);
  });
  if (signIn === null) return badCredentials;
  await deps.tries.succeed('link', null, address);
  return success(signIn);
}
