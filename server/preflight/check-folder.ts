import { randomBytes } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isArtifactFolder } from '../artifacts/folder-marker.js';
import { Explained } from './explained.js';

/** Below this the folder is said to be full. */
const freeFloorBytes = 256 * 1024 * 1024;

/** The folder must still be the one that was there at the start (a mount may vanish), and take a file. */
export async function requireFolder(folder: string, installationId: string): Promise<void> {
  if (!(await isArtifactFolder(folder, installationId)))
    throw new Explained('The folder of files (GJM_ARTIFACT_DIR) is not there any more: is it mounted?');
  const probe = join(folder, `.writable-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Explained(
      `No file can be written where files are kept (GJM_ARTIFACT_DIR): ${code ?? 'it fails'}.`,
    );
  }
}

export async function requireSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < freeFloorBytes)
    throw new Explained('Less than 256 MiB are free where files are kept.');
}
