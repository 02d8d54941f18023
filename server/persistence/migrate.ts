import 'reflect-metadata';
import { DataSource, type QueryRunner } from 'typeorm';
import { migrations } from '@gjm/migrations/index.js';

/** Key of the session lock that lets one process migrate at a time. */
const migrationLock = 7_203_000;
/** How long one may wait for another's migrations, and for Postgres to be there at all. */
const lockWaitMs = 600_000;
const connectWaitMs = 15_000;
const oldestServer = 150_000;

/** Why the database can not be used, in a sentence for a person. */
export class DatabaseProblem extends Error {}

/**
 * Brings the schema up to date. Any number of servers may call this at once on an empty database: one migrates, the others wait and find
 * nothing to do. The lock goes with its connection, and keepalive notices within 15 s when the holder's machine is gone.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const dataSource = await connect(databaseUrl);
  try {
    await checkServer(dataSource);
    const holder = dataSource.createQueryRunner();
    try {
      await holdLock(holder);
      await refuseNewerSchema(holder);
      await dataSource.runMigrations({ transaction: 'each' });
    } finally {
      await holder.query('SELECT pg_advisory_unlock_all()').catch(() => undefined); // the connection ends anyway
      await holder.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** A data source of its own: migrations may take longer than any statement of a server. Tries again while Postgres is starting. */
async function connect(url: string): Promise<DataSource> {
  const until = Date.now() + connectWaitMs;
  for (;;) {
    const extra = { max: 2, connectionTimeoutMillis: 5_000, keepAlive: true };
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      migrations,
      applicationName: 'gjm-migrate',
      extra,
    });
    try {
      return await dataSource.initialize();
    } catch (error) {
      if (!isStarting(error) || Date.now() > until)
        throw new DatabaseProblem(
          `The database can not be reached: ${(error as Error).message || String(error)}`,
          { cause: error },
        );
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Refused, unknown host, or Postgres says that it starts or stops (57P03, 57P01). */
const isStarting = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '57P01'].includes(
    String((error as { code?: unknown }).code),
  );

async function checkServer(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ number: string; version: string }[]>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version`,
  );
  if (Number(row?.number) < oldestServer)
    throw new DatabaseProblem(`The database is Postgres ${row?.version}: version 15 or later is needed.`);
}

async function holdLock(holder: QueryRunner): Promise<void> {
  await holder.query(
    `SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3`,
  );
  await holder.query(`SET lock_timeout = ${lockWaitMs}`);
  await holder.query(`SELECT pg_advisory_lock(${migrationLock})`);
}

/** A schema with migrations this program does not know was made by a later release: writing to it could break it. */
async function refuseNewerSchema(holder: QueryRunner): Promise<void> {
  if (!(await holder.hasTable('migrations'))) return;
  const known = new Set(migrations.map((Migration) => new Migration().name));
  const rows = (await holder.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
  const unknown = rows.find(({ name }) => !known.has(name));
  if (unknown)
    throw new DatabaseProblem(
      `The database was made by a later release (${unknown.name}): use that release.`,
    );
}
