import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders below a worker's data folder. */
export interface WorkerFolders {
  root: string;
  /** Notes of runner process groups that live. */
  run: string;
  /** One folder per living attempt; emptied at start. */
  scratch: string;
}

/** Makes the folders; fails with the system's error. Only this user can look into them. */
export function openFolders(root: string): WorkerFolders {
  const folders = { root, run: join(root, 'run'), scratch: join(root, 'scratch') };
  for (const path of Object.values(folders)) mkdirSync(path, { recursive: true, mode: 0o700 });
  return folders;
}

/** The id of this worker for all its lives: random, made once, kept in the data folder. Call it under the folder's lock. */
export function openInstanceId(root: string): string {
  const path = join(root, 'instance-id');
  const kept = read(path);
  if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept;
  const made = randomBytes(16).toString('hex');
  writeFileSync(`${path}.new`, `${made}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return made;
}

/** The id of this life: another one in each process. */
export const makeBootId = (): string => randomBytes(16).toString('hex');

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
