import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { StorageError, type ArtifactStore, type StoredObject } from '../application/ports.js';
import { chunksOf, Meter, takeFrom } from './sender.js';
import { requireKey } from './storage-key.js';

/** What a folder store may be told. */
export interface FolderStoreOptions {
  /** Runs when the bytes are safe in the temporary file, before they get their name. */
  beforeCommit?: (() => Promise<void>) | null;
}

/**
 * Files in one folder, which replicas may share. Bytes go to `<key>.<random>.part` in the folder of the key, are synced and renamed; only
 * then is there a key.
 */
export function createFolderStore(root: string, options: FolderStoreOptions = {}): ArtifactStore {
  const pathOf = (key: string): string => join(root, ...requireKey(key).split('/'));
  return {
    async put(key, stream, { maxBytes }) {
      const path = pathOf(key);
      const part = `${path}.${randomBytes(4).toString('hex')}.part`;
      return takeFrom(stream, async () => {
        try {
          const stored = await writePart(part, stream, maxBytes);
          await options.beforeCommit?.();
          await rename(part, path);
          await syncFolder(dirname(path));
          return stored;
        } catch (error) {
          await rm(part, { force: true });
          throw asStorageError(error);
        }
      });
    },
    async open(key, range) {
      const handle = await orNull(open(pathOf(key), 'r'));
      return handle && handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
    },
    async stat(key) {
      const found = await orNull(stat(pathOf(key)));
      return found && { bytes: found.size };
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await removeEmptyFolders(dirname(path), root);
    },
    list: () => listFiles(root, root),
  };
}

async function writePart(part: string, stream: Readable, maxBytes: number): Promise<StoredObject> {
  const handle = await createFile(part);
  try {
    const stored = await drain(stream, handle, maxBytes);
    await handle.sync();
    return stored;
  } finally {
    await handle.close();
  }
}

/** Makes the file and its folder, again when another's clean-up took the empty folder away in between. */
async function createFile(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    await mkdir(dirname(path), { recursive: true });
    const handle = await orNull(open(path, 'wx', 0o600));
    if (handle) return handle;
    if (tries === 5) throw new Error(`The folder of ${path} does not stay.`);
  }
}

/** One chunk is in memory at a time: the stream is read on only when the chunk is written. */
async function drain(stream: Readable, handle: FileHandle, maxBytes: number): Promise<StoredObject> {
  const meter = new Meter(maxBytes);
  for await (const chunk of chunksOf(stream)) {
    meter.add(chunk);
    for (let offset = 0; offset < chunk.length;)
      offset += (await handle.write(chunk, offset, chunk.length - offset)).bytesWritten;
  }
  return meter.total();
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function asStorageError(error: unknown): unknown {
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '');
  return isFull ? new StorageError('no-space', { cause: error }) : error;
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A rename is safe only when its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let at = folder; at.startsWith(root + sep); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return; // not empty, or gone: either way nothing is left to do
    }
  }
}

/** Walks without holding a folder's names: there may be a million. What is removed meanwhile is passed over. */
async function* listFiles(folder: string, root: string): AsyncGenerator<{ key: string; writtenAt: Date }> {
  const entries = await orNull(opendir(folder));
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFiles(path, root);
    else if (!entry.name.startsWith('.')) {
      const found = await orNull(stat(path));
      if (found) yield { key: relative(root, path).split(sep).join('/'), writtenAt: found.mtime };
    }
  }
}
