import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';
import { findFreePort } from '@gjm/stack/free-port.js';
import { sharedStack } from '../support/environment.js';
import { fastTiming } from '../support/timing.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';

/** Another server of the shared installation, which a test may stop and start while the others go on. */
export interface Replica {
  url: string;
  /** Signs in once. */
  signInToken: string;
  stop: () => Promise<void>;
  /** Settles when it takes requests again, at the same address. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startReplica(): Promise<Replica> {
  const { databaseUrl, redisUrl, dataDir } = sharedStack();
  const bench = new ServerBench({ databaseUrl, redisUrl });
  const port = await findFreePort('127.0.0.1');
  const signInToken = `gjms_${randomBytes(32).toString('base64url')}`;
  const env = {
    ...fastTiming,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    GJM_SECRET: (await readFile(join(dataDir, 'secrets', 'server-key'), 'utf8')).trim(),
    GJM_DATA_DIR: await mkdtemp(join(tmpdir(), 'gjm-replica-')),
    GJM_ARTIFACT_DIR: join(dataDir, 'artifacts'),
    GJM_WEB_DIR: join(cloneRoot, 'web', 'dist'),
    GJM_DIAGNOSTIC_JOBS: '1',
    GJM_PORT: String(port),
  };
  let server: ServerProcess & { address: string } = await bench.start({
    ...env,
    GJM_BOOTSTRAP_SIGN_IN_TOKEN: signInToken,
  });
  return {
    url: server.address,
    signInToken,
    stop: async () => {
      server.kill('SIGKILL');
      await server.exit;
    },
    start: async () => {
      server = await bench.start(env);
    },
    close: () => bench.close(),
  };
}
