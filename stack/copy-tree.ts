import { constants, type Dirent } from 'node:fs';
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from './problem.js';

/** How much a folder holds, all folders below it included. */
export interface TreeSize {
  files: number;
  bytes: number;
}

/** What is left out of a copy, by its path below the top (`base/1/pg_internal.init`). */
export type LeaveOut = (path: string) => boolean;

/**
 * Copies the folders and regular files of a tree that may be in use: what disappears in between is not missed, and what is neither (links,
 * sockets) is left out. Modes are kept, owners are not. A blocked copy (a full disk) fails with the system's error.
 */
export async function copyTree(
  from: string,
  to: string,
  signal: AbortSignal,
  leaveOut: LeaveOut = () => false,
  below = '',
): Promise<void> {
  const folder = await lstat(join(from, below)).catch(ignoreAbsence);
  if (!folder) return;
  await mkdir(join(to, below), { recursive: true, mode: folder.mode });
  for (const entry of await list(join(from, below))) {
    signal.throwIfAborted();
    const path = join(below, entry.name);
    if (leaveOut(path)) continue;
    if (entry.isDirectory()) await copyTree(from, to, signal, leaveOut, path);
    // Where the file system can, both share their blocks until one is written to.
    else if (entry.isFile())
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch(ignoreAbsence);
  }
}

/** Counts what {@link copyTree} would copy; nothing for a folder that is not there. */
export async function measureTree(path: string): Promise<TreeSize> {
  const size = { files: 0, bytes: 0 };
  for (const entry of await list(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) {
      const { files, bytes } = await measureTree(inner);
      size.files += files;
      size.bytes += bytes;
    } else if (entry.isFile()) {
      size.files += 1;
      size.bytes += (await lstat(inner)).size;
    }
  }
  return size;
}

/** True for a folder that holds nothing, or is not there. */
export const isEmptyFolder = async (path: string): Promise<boolean> => (await list(path)).length === 0;

const list = async (path: string): Promise<Dirent[]> =>
  (await readdir(path, { withFileTypes: true }).catch(ignoreAbsence)) ?? [];

function ignoreAbsence(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
