import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { migrations } from '@gjm/migrations/index.js';
import { entities } from './entities.js';

/** Sessions give up by themselves: a statement in 5 s, an idle transaction in 5 s, a dead peer by TCP keepalive. */
const sessionLimits = {
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 5_000,
};

/** The one TypeORM data source. `synchronize` is off in every mode: only migrations change the schema. `poolSize` counts connections. */
export function createDataSource(url: string, poolSize = 10): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    synchronize: false,
    migrationsTransactionMode: 'each',
    entities,
    migrations,
    applicationName: 'gjm-server',
    extra: { max: poolSize, ...sessionLimits },
  });
}
