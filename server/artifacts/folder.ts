import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { StorageError, type ArtifactStore, type StoredObject } from '../application/ports.js';

/** Keys, and what {@link ArtifactStore.list} shows of broken-off writes. */
const keyForm = /^[\w-]+(\/[\w-]+)*(\.[0-9a-f]{8}\.part)?$/;

/** What a folder store may be told. */
export interface FolderStoreOptions {
  /** Runs when the bytes are safe in the temporary file, before they get their name. */
  beforeRename?: (() => Promise<void>) | null;
}

/**
 * Files in one folder, which replicas may share. Bytes go to `<key>.<random>.part` in the folder of the key, are synced and renamed; only
 * then is there a key. Keys are checked here, whoever made them: nothing outside the folder can be named.
 */
export function createFolderStore(root: string, options: FolderStoreOptions = {}): ArtifactStore {
  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new Error(`This is no storage key: ${JSON.stringify(key)}`);
    return join(root, ...key.split('/'));
  };
  return {
    async put(key, stream, { maxBytes }) {
      const path = pathOf(key);
      stream.on('error', () => undefined); // it may break off before it is read; reading tells
      const part = `${path}.${randomBytes(4).toString('hex')}.part`;
      try {
        const stored = await writePart(part, stream, maxBytes);
        await options.beforeRename?.();
        await rename(part, path);
        await syncFolder(dirname(path));
        return stored;
      } catch (error) {
        await rm(part, { force: true });
        throw asStorageError(error);
      } finally {
        if (!stream.readableEnded) stream.resume(); // whoever sent too much is read to its end, and not stored
      }
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
    async freeBytes() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
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
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of fromSender(stream)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new StorageError('too-large');
    digest.update(chunk);
    for (let offset = 0; offset < chunk.length;)
      offset += (await handle.write(chunk, offset, chunk.length - offset)).bytesWritten;
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** The stream's chunks; its own failure is the sender's breaking off, and is told apart from a failure of the disk. */
async function* fromSender(stream: Readable): AsyncGenerator<Buffer> {
  const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw new StorageError('broken-off', { cause: error });
    });
    if (next.done) return;
    yield next.value;
  }
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

async function* listFiles(folder: string, root: string): AsyncGenerator<{ key: string; writtenAt: Date }> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFiles(path, root);
    else if (!entry.name.startsWith('.')) {
      const found = await orNull(stat(path));
      if (found) yield { key: relative(root, path).split(sep).join('/'), writtenAt: found.mtime };
    }
  }
}
