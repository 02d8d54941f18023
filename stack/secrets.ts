import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.js';
import type { DataFolder } from './data-folder.js';
import { systemCode } from './problem.js';

/** The generated secrets of one data folder, each kept in a file of mode 0600 below `secrets/`. */
export interface StackSecrets {
  /** `GJM_SECRET`: signs access tokens and file addresses. */
  serverKey: string;
  postgresPassword: string;
  redisPassword: string;
  /** What a worker shows to the server, `gjmw_…`. */
  workerToken: string;
}

/** Reads the folder's secrets and makes those that are missing. Call it under the folder's lock. */
export async function openSecrets(folder: DataFolder): Promise<StackSecrets> {
  return {
    serverKey: await openSecret(folder, 'server-key', 48),
    postgresPassword: await openSecret(folder, 'postgres-password', 32),
    redisPassword: await openSecret(folder, 'redis-password', 32),
    workerToken: await openSecret(folder, 'worker-token', 32, 'gjmw_'),
  };
}

/** A fresh one-time token for a sign-in link; never stored here. */
export function makeSignInToken(): string {
  return `gjms_${randomBytes(32).toString('base64url')}`;
}

async function openSecret(folder: DataFolder, name: string, bytes: number, prefix = ''): Promise<string> {
  const path = join(folder.secrets, name);
  try {
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept !== '') return kept;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const made = prefix + randomBytes(bytes).toString('base64url');
  await writeFileAtomically(path, `${made}\n`);
  return made;
}
