import { createAccounts, type Accounts } from '../application/accounts/accounts.js';
import { isNamedAddress } from '../application/enabled-kinds.js';
import { createFiles, type Files } from '../application/files/files.js';
import type { Logger, SlotQueues } from '../application/ports.js';
import { createServices, type Services } from '../application/services.js';
import type { ServerEnvironment } from '../environment.js';
import { deriveKeys, type Keys } from '../keys.js';
import { createRedisTries } from '../limits/redis-tries.js';
import { createAccountRows } from '../persistence/account.repository.js';
import { createArtifactRows } from '../persistence/artifact.repository.js';
import { createUploadRows } from '../persistence/upload.repository.js';
import { createSlotQueues } from '../queue/slot-queues.js';
import type { Parts } from './open-parts.js';

/** Wrong passwords are counted per account and, fifty times as many, per address: many people may share one. */
const triesSeconds = 900;
const triesPerAddress = 50;

export interface Application {
  accounts: Accounts;
  files: Files;
  services: Services;
  queues: SlotQueues;
}

/** Makes the application on what was opened. Nothing runs yet. */
export function createApplication(environment: ServerEnvironment, parts: Parts, logger: Logger): Application {
  const keys = deriveKeys(environment.secret);
  const { dataSource, database, store, pubsub, pass } = parts;
  const accounts = wireAccounts(environment, parts, keys, logger);
  const files = createFiles({
    uploads: createUploadRows(dataSource, database),
    artifacts: createArtifactRows(dataSource, database),
    store,
    urlKey: keys.fileUrl,
    maxBytes: environment.uploadBytes,
  });
  const queuePrefix = `${parts.prefix}q`;
  const queues = createSlotQueues(parts.redis, queuePrefix);
  const services = createServices({
    dataSource,
    database,
    store,
    files,
    queues,
    pubsub,
    timing: environment.timing,
    workerRedis: { url: environment.workerRedisUrl, prefix: queuePrefix },
    diagnosticJobs: environment.diagnosticJobs,
    programUsers: environment.programUsers,
    logBytes: environment.logBytes,
    eventDays: environment.eventDays,
    scrapDays: environment.scrapDays,
    pass,
    logger,
  });
  return { accounts, files, services, queues };
}

function wireAccounts(environment: ServerEnvironment, parts: Parts, keys: Keys, logger: Logger): Accounts {
  const { dataSource, database, redis, prefix, pubsub } = parts;
  const { loginFailures, accessTokenSeconds, registration, bootstrap } = environment;
  return createAccounts({
    rows: createAccountRows(dataSource, database),
    triesByAccount: createRedisTries(redis, `${prefix}try:account`, loginFailures, triesSeconds),
    triesByAddress: createRedisTries(
      redis,
      `${prefix}try:address`,
      loginFailures * triesPerAddress,
      triesSeconds,
    ),
    keys,
    accessTokenSeconds,
    registration,
    isNamedAddress: (email) => isNamedAddress(email, environment.programUsers),
    bootstrap,
    sessionEnded: (sessionId) => pubsub.publish('session', '', { sessionId }),
    logger,
  });
}
