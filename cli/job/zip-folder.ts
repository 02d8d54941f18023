import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { ZipWriter } from '@zip.js/zip.js';

/** Histories and caches, which no program needs. */
const leftOut = new Set(['.git', '.hg', '.svn', '__pycache__', 'node_modules', '.venv']);

/**
 * Packs the regular files of a folder into a new zip at `path`, and says how many. Links are not followed; they and folders such as .git
 * and node_modules are left out.
 */
export async function zipFolder(folder: string, path: string, signal: AbortSignal): Promise<number> {
  const names = await filesIn(folder);
  const writer = new ZipWriter(Writable.toWeb(createWriteStream(path, { mode: 0o600 })), {
    useWebWorkers: false,
    level: 1,
  });
  for (const name of names) {
    const bytes = Readable.toWeb(createReadStream(join(folder, name), { signal }));
    await writer.add(name, { readable: bytes as ReadableStream<Uint8Array> });
  }
  await writer.close();
  return names.length;
}

async function filesIn(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await readdir(join(root, folder))) {
      if (leftOut.has(entry)) continue;
      const name = posix.join(folder, entry);
      const stats = await lstat(join(root, name));
      if (stats.isDirectory()) folders.push(name);
      else if (stats.isFile()) found.push(name);
    }
  return found.sort();
}
