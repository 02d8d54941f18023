import { execFile } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProgramUser } from './program-task.js';

const run = promisify(execFile);

/** Folders of the system in which everybody may leave files. */
const sharedPlaces = ['/tmp', '/var/tmp', '/dev/shm'];

/** What a user has left there. */
export function ownedBy({ uid }: ProgramUser): string[] {
  return sharedPlaces.flatMap((place) =>
    namesIn(place)
      .map((name) => join(place, name))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid === uid),
  );
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return []; // this system has no such place
  }
}

/** Removes files and folders with all that is in them. Rejects when something can not be removed. */
export async function removeAll(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // Not Node's own: this one copes with paths of any length.
  await run('rm', ['-rf', '--one-file-system', '--', ...paths], { env: { PATH: '/usr/bin:/bin' } });
}
