import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { copyTree } from './copy-tree.js';

/** Folders whose content belongs to a running Postgres: the next one makes it anew. Their names must be there. */
const OF_THE_RUNNING =
  /^(pg_(replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)|(.*\/)?pgsql_tmp[^/]*)\/./;
const NOT_COPIED = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*)$/;
const LOG = /^pg_wal\/./;
const CONTROL = 'global/pg_control';

const isLeftOut = (path: string): boolean => OF_THE_RUNNING.test(path) || NOT_COPIED.test(path);

/** Copies a cluster that no Postgres uses. */
export const copyStoppedCluster = (data: string, to: string, signal: AbortSignal): Promise<void> =>
  copyTree(data, to, signal, isLeftOut);

/**
 * Copies a cluster while its Postgres works, as Postgres' manual has it: between `pg_backup_start` and `pg_backup_stop` the files are copied
 * in any state, afterwards the log that makes them whole. The copy stands at the moment of the stop.
 */
export async function copyRunningCluster(
  url: string,
  data: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the next query tells
  await client.connect();
  try {
    // Keeps the log from here on until this connection ends.
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [
      `backup_${process.pid}`,
    ]);
    await client.query("SELECT pg_backup_start('gjm', fast => true)");
    await copyTree(data, to, signal, (path) => isLeftOut(path) || LOG.test(path) || path === CONTROL);
    await mkdir(join(to, 'global'), { recursive: true, mode: 0o700 });
    await copyFile(join(data, CONTROL), join(to, CONTROL));
    // There is no archive to wait for.
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await copyTree(join(data, 'pg_wal'), join(to, 'pg_wal'), signal, (path) => /^summaries\/./.test(path));
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
  } finally {
    await client.end().catch(() => undefined);
  }
}
