import type { Logger } from '../ports.js';
import type { AccountRows } from './ports.js';
import { hashToken, makeToken } from './secret-token.js';

const daySeconds = 86_400;
const linkSeconds = 600;

interface BootstrapSettings {
  registration: 'open' | 'invite' | 'closed';
  bootstrap: { invite: string | null; signInToken: string | null; workerToken: string | null };
}

/**
 * Stores the tokens that the server was started with, each once: a restart with the same ones changes nothing. When nobody has an account
 * and nobody could make one, one invite that makes an ADMIN is logged.
 */
export async function bootstrapAccounts(
  rows: AccountRows,
  settings: BootstrapSettings,
  logger: Logger,
): Promise<void> {
  const { invite, signInToken, workerToken } = settings.bootstrap;
  if (workerToken) await rows.insertWorkerToken(hashToken(workerToken), 'bootstrap');
  if (signInToken) await rows.insertToken(hashToken(signInToken), 'SIGN_IN', 'ADMIN', linkSeconds);
  if (invite) await rows.insertToken(hashToken(invite), 'INVITE', 'ADMIN', daySeconds);
  if (invite || settings.registration === 'open') return;
  const made = await rows.transaction(async (within) => {
    await within.lockAccounts();
    if ((await within.hasRegisteredUsers()) || (await within.hasOpenAdminInvite())) return null;
    const fresh = makeToken('gjmi');
    await within.insertToken(hashToken(fresh), 'INVITE', 'ADMIN', daySeconds);
    return fresh;
  });
  if (made)
    logger.warn(
      { invite: made, hours: 24 },
      'Nobody has an account: register with this invite to become ADMIN.',
    );
}
