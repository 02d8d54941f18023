import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProgramUser } from './program-task.js';

const run = promisify(execFile);
const env = { PATH: '/usr/bin:/bin' };

/** Folders of the system in which everybody may leave files. */
const sharedPlaces = ['/tmp', '/var/tmp', '/dev/shm'];

/**
 * Takes what a user has left there out of the user's reach, in time that does not grow with what lies deep in it. Resolves with folders that
 * hold it now, beside it and with names that begin with `prefix`: they wait to be removed. Call it when no process of the user lives.
 */
export async function setAside(user: ProgramUser, prefix: string): Promise<string[]> {
  const asides = await Promise.all(sharedPlaces.map((place) => setAsideIn(place, user, prefix)));
  return asides.flat();
}

/** Folders that `setAside` made and that were not removed. A program can not make one, since it is not the worker's user. */
export async function setAsideBefore(prefix: string): Promise<string[]> {
  const own = await Promise.all(sharedPlaces.map((place) => ownedBy(process.getuid?.() ?? null, place)));
  return own
    .flat()
    .map((path) => path.toString())
    .filter((path) => path.includes(`/${prefix}`));
}

async function setAsideIn(place: string, { uid }: ProgramUser, prefix: string): Promise<string[]> {
  const left = await ownedBy(uid, place);
  if (left.length === 0) return [];
  const asides: string[] = [];
  try {
    // Only its maker gets through; on the same file system, so that nothing has to be copied.
    const aside = await mkdtemp(join(place, prefix));
    asides.push(aside);
    for (const [index, path] of left.entries()) await rename(path, join(aside, String(index)));
  } catch {
    // The file system is full, say: then the user's next program waits until all of it is removed.
    const these = [place, '-mindepth', '1', '-maxdepth', '1', '-user', String(uid)];
    await run('find', [...these, '-exec', 'rm', '-rf', '--one-file-system', '--', '{}', '+'], { env });
  }
  return asides;
}

/** Paths as bytes: a program may choose names that are no text. */
async function ownedBy(uid: number | null, place: string): Promise<Buffer[]> {
  const names = await readdir(place, { encoding: 'buffer' }).catch(() => []); // this system has no such place
  const owned: Buffer[] = [];
  for (const name of names) {
    const path = Buffer.concat([Buffer.from(`${place}/`), name]);
    const stats = await lstat(path).catch(() => null);
    if (stats?.uid === uid) owned.push(path);
  }
  return owned;
}

/** Removes files and folders with all that is in them. Rejects when something can not be removed, or `signal` is aborted. */
export async function removeAll(paths: readonly string[], signal?: AbortSignal): Promise<void> {
  if (paths.length === 0) return;
  // Not Node's own: this one copes with paths of any length.
  await run('rm', ['-rf', '--one-file-system', '--', ...paths], { env, signal });
}
