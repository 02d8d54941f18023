import { join } from 'node:path';
import { createClient, type NodeClient, type Tokens } from '@gjm/client/node.js';
import type { Environment } from '../environment.js';
import { CredentialsFile } from './credentials.js';
import { findServer, type Address } from './address.js';
import { withFileLock } from './file-lock.js';

/** A client of the server that was found, signed in as far as that is known. */
export interface Connection {
  client: NodeClient;
  address: Address;
  /** How it is signed in, in words; null when it is not. */
  signedInBy: string | null;
}

/** Saved sign-ins of this person, and the lock under which they are renewed. */
export function openCredentials(environment: Environment) {
  const file = new CredentialsFile(environment.configDir);
  const lockPath = join(environment.configDir, 'credentials.lock');
  return { file, locked: <T>(work: () => Promise<T>): Promise<T> => withFileLock(lockPath, work) };
}

/** GJM_TOKEN goes before a saved sign-in; `warn` is told when it hides one. */
export async function openClient(
  environment: Environment,
  warn: (sentence: string) => void,
): Promise<Connection> {
  const { file, locked } = openCredentials(environment);
  const address = await findServer(environment, file);
  const { url } = address;
  const login = file.loginOf(url);
  if (environment.token !== undefined) {
    if (login) warn(`GJM_TOKEN is used, not the saved sign-in of ${login.email}.`);
    return {
      client: createClient({ url, accessToken: environment.token }),
      address,
      signedInBy: 'GJM_TOKEN',
    };
  }
  if (!login) return { client: createClient({ url }), address, signedInBy: null };
  const onTokens = (tokens: Tokens | null): void => {
    if (tokens) file.renew(url, tokens);
    else file.forget(url);
  };
  const client = createClient({
    url,
    accessToken: login.accessToken,
    refreshToken: login.refreshToken ?? undefined,
    // Read inside the lock: another process may have renewed while this one waited for it.
    exclusively: (renewal) => locked(() => renewal(file.loginOf(url)?.refreshToken ?? null)),
    onTokens,
  });
  return { client, address, signedInBy: 'the saved sign-in' };
}
