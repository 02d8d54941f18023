import { join } from 'node:path';
import pg from 'pg';
import { type Child, type StopStep, startChild } from './child.js';
import type { StackContext } from './context.js';
import { findFreePort } from './free-port.js';
import { POSTGRES_NAME, ensureCluster, postgresSettings } from './postgres-cluster.js';
import { clearRemains } from './postgres-remains.js';
import { postgresEnvironment } from './postgres-package.js';
import { type PostgresPlace, preparePostgresPlace } from './postgres-place.js';
import { StackProblem } from './problem.js';
import { lastLines } from './run-program.js';
import type { ServicePlan } from './service.js';
import { until } from './until.js';

/** Recovery after a crash replays at most `max_wal_size`; a slow disk needs its time. */
const READY_MS = 120_000;

/** "Fast" shutdown first, then "immediate", which recovers on the next start. */
const STOP_STEPS: StopStep[] = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
];

/** An embedded Postgres: how to start it, its address, and where it lives. */
export interface PostgresPlan extends ServicePlan {
  url: string;
  port: number;
  home: string;
}

/** Address of an embedded Postgres; the database is ours unless another is named. */
export function postgresUrl(port: number, password: string, database = POSTGRES_NAME): string {
  return `postgres://${POSTGRES_NAME}:${password}@127.0.0.1:${port}/${database}`;
}

/** Prepares programs and cluster of the folder's Postgres and fixes its port for the life of this stack. */
export async function planPostgres(context: StackContext): Promise<PostgresPlan> {
  const place = await preparePostgresPlace(context);
  const password = context.secrets.postgresPassword;
  await ensureCluster(place, password, context.signal);
  const port = await findFreePort();
  return {
    name: 'postgres',
    url: postgresUrl(port, password),
    port,
    home: place.home,
    start: (_again, spawned) => startPostgres(place, port, context, spawned),
  };
}

async function startPostgres(
  place: PostgresPlace,
  port: number,
  context: StackContext,
  spawned: (child: Child) => void,
): Promise<Child> {
  await clearRemains(place.data);
  const child = await spawnPostgres(place, port, context);
  spawned(child);
  try {
    const answer = () => isAnswering(child, postgresUrl(port, context.secrets.postgresPassword, 'postgres'));
    await until(answer, { limitMs: READY_MS, what: 'Postgres was not ready', signal: context.signal });
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

function spawnPostgres(place: PostgresPlace, port: number, context: StackContext): Promise<Child> {
  return startChild(
    {
      name: 'postgres',
      command: join(place.native, 'bin', 'postgres'),
      args: ['-D', place.data, ...postgresSettings(port)],
      env: postgresEnvironment(place.native),
      cwd: place.home,
      stopSteps: STOP_STEPS,
      ...place.user,
    },
    context.folder,
  );
}

/** True once queries are answered and our database exists. Fails when Postgres ended or knows another password. */
async function isAnswering(child: Child, adminUrl: string): Promise<boolean> {
  if (child.exit !== undefined)
    throw new StackProblem(`Postgres did not start: ${lastLines(child.output())}`);
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the next look tells
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [POSTGRES_NAME]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${POSTGRES_NAME}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') {
      throw new StackProblem(
        'Postgres refuses the password in secrets/postgres-password: it belongs to other data.',
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
