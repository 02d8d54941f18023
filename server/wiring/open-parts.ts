import type { Redis } from 'ioredis';
import { createFault, type PassPoint } from '../application/fault.js';
import type { ArtifactStore } from '../application/ports.js';
import type { ServerEnvironment } from '../environment.js';
import { createDataSource } from '../persistence/data-source.js';
import { createDatabase, type TransactionalDatabase } from '../persistence/database.js';
import { noteArtifactStore, openInstallation } from '../persistence/installation.js';
import { migrate } from '../persistence/migrate.js';
import { connectRedis } from '../pubsub/connect-redis.js';
import { RedisWakeUps } from '../pubsub/redis-pubsub.js';
import type { NamedLook } from '../health.js';
import type { Releases } from '../releases.js';
import { openArtifacts } from './open-artifacts.js';

/** What the server stands on. */
export interface Parts {
  dataSource: ReturnType<typeof createDataSource>;
  database: TransactionalDatabase;
  store: ArtifactStore;
  /** What health looks at where files are kept. */
  artifactLooks: NamedLook[];
  redis: Redis;
  pubsub: RedisWakeUps;
  /** Before every Redis key and channel of this installation. */
  prefix: string;
  pass: PassPoint;
}

/** Opens database, artifact store and Redis. Migrations run here; Redis may be away. */
export async function openParts(environment: ServerEnvironment, releases: Releases): Promise<Parts> {
  await migrate(environment.databaseUrl);
  const dataSource = await createDataSource(environment.databaseUrl, environment.databasePool).initialize();
  releases.add('database', () => dataSource.destroy());
  const database = createDatabase(dataSource);
  const installation = await openInstallation(database);
  const pass = createFault(environment.fault, (code) => process.exit(code));
  const beforeCommit = pass && (() => pass('before-artifact-rename'));
  const artifacts = await openArtifacts(environment.artifacts, installation, beforeCommit, releases);
  await noteArtifactStore(database);
  const redis = connectRedis(environment.redisUrl, 'commands');
  const subscriber = connectRedis(environment.redisUrl, 'subscriber');
  // What is not sent yet may be lost: Redis holds nothing that matters.
  releases.add('redis', () => redis.disconnect());
  releases.add('redis subscriber', () => subscriber.disconnect());
  const prefix = environment.redisPrefix ?? `gjm-${installation.id}:`;
  const pubsub = new RedisWakeUps(redis, subscriber, prefix);
  return { dataSource, database, ...artifacts, redis, pubsub, prefix, pass };
}
