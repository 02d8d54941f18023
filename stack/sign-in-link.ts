import type { StackContext } from './context.js';
import { openDataFolder } from './data-folder.js';
import type { StackEnvironment } from './environment.js';
import { findFreePort } from './free-port.js';
import { postgresUrl } from './postgres.js';
import { redisUrl } from './redis.js';
import { type StackSecrets, makeSignInToken, openSecrets } from './secrets.js';
import { planServer } from './server-process.js';
import { Service } from './service.js';
import type { StackFile } from './stack-file.js';

/**
 * A fresh one-time sign-in token for a stack that another process runs on this data folder. A second server on
 * the same stores puts it there and goes again; that needs no right but the one to read the folder's secrets.
 */
export async function makeSignInTokenFor(
  running: StackFile,
  environment: StackEnvironment,
  stop: AbortSignal,
): Promise<string> {
  const folder = await openDataFolder(environment.dataDir);
  const secrets = await openSecrets(folder);
  const context: StackContext = { environment, folder, secrets, signal: stop, say: () => undefined };
  const signInToken = makeSignInToken();
  const plan = planServer(context, {
    name: `server-link-${process.pid}`,
    port: await findFreePort(environment.host),
    signInToken,
    ...describeStores(running, environment, secrets),
    env: {},
  });
  const server = new Service(plan, { keepAlive: false, say: () => undefined, started: () => undefined });
  try {
    await server.start();
    return signInToken;
  } finally {
    await server.close();
  }
}

/** The addresses the running stack uses: those of the environment, else of its embedded stores. */
function describeStores(running: StackFile, environment: StackEnvironment, secrets: StackSecrets) {
  const { postgres, redis } = running.ports;
  const embedded = {
    databaseUrl: postgres === null ? '' : postgresUrl(postgres, secrets.postgresPassword),
    redisUrl: redis === null ? '' : redisUrl(redis, secrets.redisPassword),
  };
  return {
    databaseUrl: environment.databaseUrl ?? embedded.databaseUrl,
    redisUrl: environment.redisUrl ?? embedded.redisUrl,
  };
}
