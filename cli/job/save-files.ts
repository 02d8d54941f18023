import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { numberOf, type StoredFile } from '@gjm/client/index.js';
import type { NodeClient } from '@gjm/client/node.js';
import { usageError } from '../exit.js';
import { distinctFileNames } from './file-name.js';

export interface SavedFile {
  id: string;
  /** The label it has on the server. */
  name: string;
  path: string;
  sha256: string;
  /** False when the same bytes lay there already. */
  isNew: boolean;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

type Place = 'free' | 'same' | 'taken';

/** What lies at a path: nothing, this very file (an earlier run got this far), or something else, also a link to somewhere. */
async function placeOf(path: string, file: StoredFile): Promise<Place> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!there) return 'free';
  if (!there.isFile() || there.size !== numberOf(file.bytes)) return 'taken';
  return (await sha256Of(path)) === file.sha256 ? 'same' : 'taken';
}

/**
 * Downloads files into a folder under safe names. Nothing is replaced unless `force` is set, and nothing is begun when one place is
 * taken. A file appears under its name only when it is whole and checked; run again, only what is missing is fetched.
 */
export async function saveFiles(
  client: NodeClient,
  files: readonly StoredFile[],
  { folder, force, signal }: { folder: string; force: boolean; signal: AbortSignal },
): Promise<SavedFile[]> {
  const names = distinctFileNames(files);
  const plans = await Promise.all(
    files.map(async (file, at) => {
      const path = join(folder, names[at] ?? file.id);
      return { file, path, place: await placeOf(path, file) };
    }),
  );
  const taken = plans.filter(({ place }) => place === 'taken').map(({ path }) => path);
  if (taken.length > 0 && !force)
    throw usageError(
      `${taken.join(', ')} is there already: --force replaces it, --out chooses another folder.`,
    );
  const saved: SavedFile[] = [];
  for (const { file, path, place } of plans) {
    if (place !== 'same') await client.downloadArtifact(file, path, { signal });
    saved.push({ id: file.id, name: file.name, path, sha256: file.sha256, isNew: place !== 'same' });
  }
  return saved;
}
