import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { GraphqlSockets } from './api/websocket.js';
import { attachSockets, createGraphqlSockets } from './api/websocket.js';
import { buildApiSchema } from './api/build-schema.js';
import { createListener } from './api/create-listener.js';
import { createFileRouter } from './api/files/file-router.js';
import { createGraphqlHttp } from './api/http.js';
import { createAccounts, type Accounts } from './application/accounts/accounts.js';
import { createFault } from './application/fault.js';
import { createFiles } from './application/files/files.js';
import type { PubSub } from './application/ports.js';
import { createServices } from './application/services.js';
import { claimArtifactFolder } from './artifacts/folder-marker.js';
import { createFolderStore } from './artifacts/folder.js';
import type { ServerEnvironment } from './environment.js';
import { createHealth } from './health.js';
import { deriveKeys } from './keys.js';
import { createRedisTries } from './limits/redis-tries.js';
import { createLimitedServer, drain, listen } from './listen.js';
import { createLogger } from './logger.js';
import { createAccountRows } from './persistence/account.repository.js';
import { createArtifactRows } from './persistence/artifact.repository.js';
import { createDataSource } from './persistence/data-source.js';
import { createDatabase } from './persistence/database.js';
import { noteArtifactFolder, openInstallation } from './persistence/installation.js';
import { migrate } from './persistence/migrate.js';
import { createUploadRows } from './persistence/upload.repository.js';
import { connectRedis } from './pubsub/connect-redis.js';
import { RedisWakeUps } from './pubsub/redis-pubsub.js';
import { createSlotQueues } from './queue/slot-queues.js';
import { Releases } from './releases.js';
import { createWorkerRouter } from './worker-api/router.js';

/** A server that runs. */
export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
  /** Stops: not ready, sockets 1001, requests drained, connections closed. Idempotent; done within 30 s whatever hangs. */
  close(): Promise<void>;
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Wrong passwords are counted per account and, fifty times as many, per address: many people may share one. */
const triesSeconds = 900;
const triesPerAddress = 50;

/** Starts everything and settles when the server takes requests. When a part does not start, the others are let go again. */
export async function startServer(environment: ServerEnvironment): Promise<RunningServer> {
  const releases = new Releases(createLogger(environment.logLevel));
  try {
    const url = await start(environment, releases);
    return { url, close: () => releases.close() };
  } catch (error) {
    await releases.close();
    throw error;
  }
}

async function start(environment: ServerEnvironment, releases: Releases): Promise<string> {
  const logger = createLogger(environment.logLevel, { version });
  const parts = await openParts(environment, releases);
  const { database, dataSource, store, redis, pubsub, prefix } = parts;
  const keys = deriveKeys(environment.secret);
  const accounts = createAccounts({
    rows: createAccountRows(dataSource, database),
    triesByAccount: createRedisTries(redis, `${prefix}try:account`, environment.loginFailures, triesSeconds),
    triesByAddress: createRedisTries(
      redis,
      `${prefix}try:address`,
      environment.loginFailures * triesPerAddress,
      triesSeconds,
    ),
    keys,
    accessTokenSeconds: environment.accessTokenSeconds,
    registration: environment.registration,
    bootstrap: environment.bootstrap,
    sessionEnded: (sessionId) => pubsub.publish('session', '', { sessionId }),
    logger,
  });
  await accounts.bootstrap();
  const files = createFiles({
    uploads: createUploadRows(dataSource, database),
    artifacts: createArtifactRows(dataSource, database),
    store,
    urlKey: keys.fileUrl,
    maxBytes: environment.uploadBytes,
  });
  const services = createServices({
    dataSource,
    database,
    store,
    files,
    queues: createSlotQueues(redis, `${prefix}q`),
    pubsub,
    timing: environment.timing,
    workerRedis: { url: environment.workerRedisUrl, prefix: `${prefix}q` },
    diagnosticJobs: environment.diagnosticJobs,
    logBytes: environment.logBytes,
    eventDays: environment.eventDays,
    scrapDays: environment.scrapDays,
    pass: parts.pass,
    logger,
  });
  let isDraining = false;
  const health = createHealth({ version, database, redis, store, isDraining: () => isDraining });
  const schema = await buildApiSchema();
  const base = { services, accounts, files, health };
  const graphql = await createGraphqlHttp({ schema, base, logger, isLoopback: environment.isLoopback });
  releases.add('graphql', () => graphql.stop());
  const sockets = createGraphqlSockets({ schema, base, logger });
  const doors = [
    createWorkerRouter({ services, accounts, files, store, logger }),
    createFileRouter({ accounts, files, logger }),
  ];
  const server = createLimitedServer(
    createListener({ doors, graphql, health, webDir: environment.webDir, logger }),
  );
  attachSockets(server, sockets);
  const stopped = new Promise<void>((resolve) => server.once('close', resolve));
  const url = await listen(server, environment.host, environment.port);
  // Let go in reverse: no new connections, sockets away, long polls answered, then what is under way may end.
  releases.add('requests', () => drain(server, stopped));
  releases.add('services', () => services.close());
  releases.add('sockets', () => sockets.close());
  releases.add('listener', () => {
    isDraining = true;
    server.close();
  });
  services.start();
  followSessions(pubsub, accounts, sockets);
  logger.info({ url, registration: environment.registration }, 'the server is ready');
  return url;
}

/** Opens what the server stands on. Migrations run here; Redis may be away. */
async function openParts(environment: ServerEnvironment, releases: Releases) {
  await migrate(environment.databaseUrl);
  const dataSource = await createDataSource(environment.databaseUrl).initialize();
  releases.add('database', () => dataSource.destroy());
  const database = createDatabase(dataSource);
  const installation = await openInstallation(database);
  await claimArtifactFolder(environment.artifactDir, installation);
  await noteArtifactFolder(database);
  const pass = createFault(environment.fault, (code) => process.exit(code));
  const store = createFolderStore(environment.artifactDir, {
    beforeRename: pass && (() => pass('before-artifact-rename')),
  });
  const redis = connectRedis(environment.redisUrl, 'commands');
  releases.add('redis', () => hangUp(redis));
  const subscriber = connectRedis(environment.redisUrl, 'subscriber');
  releases.add('redis subscriber', () => hangUp(subscriber));
  const prefix = environment.redisPrefix ?? `gjm-${installation.id}:`;
  const pubsub = new RedisWakeUps(redis, subscriber, prefix);
  return { dataSource, database, store, redis, pubsub, prefix, pass };
}

/** What is not sent yet may be lost: Redis holds nothing that matters. */
const hangUp = (redis: Redis): void => redis.disconnect();

/** A session that ended on any server is forgotten, and its sockets are closed, at once; without Redis within two seconds. */
function followSessions(pubsub: PubSub, accounts: Accounts, sockets: GraphqlSockets): void {
  pubsub
    .subscribe('session', '', ({ sessionId }) => {
      accounts.forgetSession(sessionId);
      sockets.closeSession(sessionId);
    })
    .catch(() => undefined); // the watch of open sockets looks by itself
}
