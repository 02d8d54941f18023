import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markerName, StoreProblem, type MarkedInstallation } from './store-problem.js';

/**
 * Makes sure that a folder and a database belong together: the folder carries the installation's id. A new folder gets it, unless the
 * database already had one: then its files would be missing, and the setting is wrong.
 */
export async function claimArtifactFolder(folder: string, installation: MarkedInstallation): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, markerName);
  const found = await readMarker(path);
  if (found === installation.id) return;
  if (found !== null)
    throw new StoreProblem(
      `GJM_ARTIFACT_DIR (${folder}) holds the files of another database: choose another folder.`,
    );
  if (installation.hasArtifacts)
    throw new StoreProblem(
      `GJM_ARTIFACT_DIR (${folder}) is not the folder that this database's files are in.`,
    );
  // All servers of an installation write the same text, so that two at once do no harm.
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${installation.id}\n`);
  await rename(draft, path);
}

/** Whether the folder carries the marker of this installation. */
export async function isArtifactFolder(folder: string, installationId: string): Promise<boolean> {
  return (await readMarker(join(folder, markerName)).catch(() => null)) === installationId;
}

async function readMarker(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
