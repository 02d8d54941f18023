import { existsSync } from 'node:fs';
import { chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresEnvironment } from './postgres-package.js';
import type { PostgresPlace } from './postgres-place.js';
import { runProgram } from './run-program.js';

/** Name of the superuser of the embedded cluster and of its database. */
export const POSTGRES_NAME = 'gjm';

/**
 * Makes the cluster on first use. It is made beside its place and moved there when complete, so a crash in
 * between leaves nothing half made.
 */
export async function ensureCluster(
  place: PostgresPlace,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(join(place.data, 'PG_VERSION'))) return;
  const draft = join(place.home, 'data.new');
  const passwordFile = join(place.home, 'password.new');
  await rm(draft, { recursive: true, force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (place.user) await chown(passwordFile, place.user.uid, place.user.gid);
  try {
    const args = ['-D', draft, `--username=${POSTGRES_NAME}`, `--pwfile=${passwordFile}`];
    args.push('--auth=scram-sha-256', '--locale=C', '--encoding=UTF8');
    const env = postgresEnvironment(place.native);
    const options = { limitMs: 120_000, signal, env, cwd: place.home, ...place.user };
    await runProgram(join(place.native, 'bin', 'initdb'), args, options);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, place.data);
}

/** The settings a start puts on the command line, on top of what initdb chose. Durable, for a small box. */
export function postgresSettings(port: number): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    logging_collector: 'off',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
