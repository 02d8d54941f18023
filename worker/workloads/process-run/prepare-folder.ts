import { chmod, chown, constants, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { processLimits } from '@gjm/core/workload/process-run.js';
import type { ProgramTask } from '../../containment/program-task.js';
import { openZip, type Archive } from '../archive/open-zip.js';
import { invalidInput, shown } from '../define.js';

type Place = Pick<ProgramTask, 'folder' | 'user'>;

/** Unpacks the archive into the folder that the program starts in, for its user. @throws WorkloadFailure INVALID_INPUT */
export async function unpack(path: string, place: Place, stopIfAsked: () => void): Promise<void> {
  const archive = await openZip(path, processLimits.fileBytes);
  try {
    await writeFiles(archive, place, stopIfAsked);
  } finally {
    await archive.close();
  }
}

async function writeFiles(
  { files }: Archive,
  { folder, user }: Place,
  stopIfAsked: () => void,
): Promise<void> {
  const root = join(folder, 'work');
  const made = new Set([root]);
  for (const file of files) {
    stopIfAsked();
    const target = join(root, file.name);
    try {
      await makeFolders(dirname(target), made, user);
      // A zip of scripts may come from a system without permissions: all may be started.
      await writeFile(target, await file.read(), { flag: 'wx', mode: 0o700 });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['EEXIST', 'ENOTDIR', 'ENAMETOOLONG', 'EISDIR'].includes(code)) throw error;
      throw invalidInput(
        `${shown(file.name)} of the archive can not be unpacked: ${reasons[code] ?? code}.`,
        error,
      );
    }
    if (user) await chown(target, user.uid, user.gid);
  }
}

const reasons: Record<string, string> = {
  EEXIST: 'a folder or file of its name is there',
  EISDIR: 'a folder of its name is there',
  ENOTDIR: 'a part of its path is a file',
  ENAMETOOLONG: 'its name is too long',
};

async function makeFolders(path: string, made: Set<string>, user: Place['user']): Promise<void> {
  if (made.has(path)) return;
  await makeFolders(dirname(path), made, user);
  await mkdir(path, { mode: 0o700 });
  if (user) await chown(path, user.uid, user.gid);
  made.add(path);
}

/** Puts the checkpoint of an earlier attempt where the program can read it, and returns that path. */
export async function placeCheckpoint(from: string, { folder, user }: Place): Promise<string> {
  const path = join(folder, 'resume-from');
  await moveFile(from, path);
  await chmod(path, 0o600);
  if (user) await chown(path, user.uid, user.gid);
  return path;
}

/** Moves a file of ours, also to another disk. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}
