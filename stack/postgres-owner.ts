import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.js';
import type { DataFolder } from './data-folder.js';
import { clearRemains } from './postgres-remains.js';
import { systemCode } from './problem.js';

/**
 * Root's Postgres data lies outside of the data folder and outlives it: whoever removes the folder to start anew, or
 * makes a new clone at the same path, must not meet the old data. So both carry the id of one life of the folder.
 * Data of another life is set aside as `data.earlier` (only the last one is kept). Returns where, or undefined.
 */
export async function setAsideForeignData(home: string, folder: DataFolder): Promise<string | undefined> {
  const idPath = join(folder.path, 'folder-id');
  const markPath = join(home, 'folder-id');
  const id = (await readLine(idPath)) ?? randomBytes(16).toString('hex');
  if ((await readLine(markPath)) === id) return undefined;
  const data = join(home, 'data');
  const aside = join(home, 'data.earlier');
  const isForeign = existsSync(data);
  if (isForeign) {
    await clearRemains(data); // the folder may have been removed while its Postgres ran
    await rm(aside, { recursive: true, force: true });
    await rename(data, aside);
  }
  await writeFileAtomically(idPath, `${id}\n`);
  await writeFileAtomically(markPath, `${id}\n`);
  return isForeign ? aside : undefined;
}

async function readLine(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
