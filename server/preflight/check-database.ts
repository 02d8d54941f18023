import { migrations } from '@gjm/migrations/index.js';
import type { Database, Statement } from '../persistence/database.js';
import { Explained } from './explained.js';

/** `server_version_num` of Postgres 15, which is the oldest that will do. */
const oldestServer = 150_000;
/** Clocks may differ by this much, in ms, beyond what the way to the database can explain: tokens and addresses live by ours, leases by its. */
const clockToleranceMs = 2_000;

const lookAtServer: Statement = {
  name: 'look-at-server',
  text: `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS "versionName",
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "atMs"`,
};
const readMigrations: Statement = {
  name: 'read-migrations',
  text: `SELECT name FROM migrations WHERE to_regclass('jobs') IS NOT NULL ORDER BY id`,
};

/** What Postgres says of itself, with our clock before and after, in ms since the epoch. */
export interface ServerLook {
  version: number;
  versionName: string;
  atMs: number;
  startedMs: number;
  endedMs: number;
}

export async function lookAtDatabase(database: Database): Promise<ServerLook> {
  const startedMs = Date.now();
  const [row] = await database.run<Pick<ServerLook, 'version' | 'versionName' | 'atMs'>>(lookAtServer, []);
  if (!row) throw new Error('A statement without FROM gave no row.');
  return { ...row, startedMs, endedMs: Date.now() };
}

export function requireVersion({ version, versionName }: Pick<ServerLook, 'version' | 'versionName'>): void {
  if (version < oldestServer)
    throw new Explained(`The database is Postgres ${versionName}: version 15 or later is needed.`);
}

export function requireClock({
  atMs,
  startedMs,
  endedMs,
}: Omit<ServerLook, 'version' | 'versionName'>): void {
  const aheadMs = atMs - (startedMs + endedMs) / 2;
  if (Math.abs(aheadMs) <= clockToleranceMs + (endedMs - startedMs) / 2) return;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  throw new Explained(
    `The clock of the database is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this server's: let both follow one time source.`,
  );
}

/** Names of migrations that the database lacks, and of those that this program does not know. */
export interface SchemaLook {
  missing: string[];
  unknown: string[];
}

export async function compareMigrations(database: Database): Promise<SchemaLook> {
  const rows = await database.run<{ name: string }>(readMigrations, []).catch((error: unknown) => {
    if ((error as { code?: string }).code === '42P01') return []; // the table itself is gone
    throw error;
  });
  const applied = new Set(rows.map(({ name }) => name));
  const known = migrations.map((Migration) => new Migration().name);
  return {
    missing: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  };
}

/** The schema must be the one this program was made for. */
export function requireMigrations({ missing }: SchemaLook): void {
  if (missing.length > 0)
    throw new Explained(
      `The database lacks the migration ${missing.join(', ')}: start this server again, which makes it.`,
    );
}

/** A schema that a later release has changed still serves (changes only add), but this server should follow. */
export function noticeLaterRelease({ unknown }: SchemaLook): void {
  if (unknown.length > 0)
    throw new Explained(
      `A later release has changed the database (${unknown.join(', ')}): update this server.`,
    );
}
