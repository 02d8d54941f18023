import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { isAllowed, type Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import { StorageError, type ArtifactStore, type StoredObject } from '../ports.js';
import type { UploadRecord, UploadRows } from './ports.js';
import { readHead } from './read-head.js';
import { sniffType } from './sniff.js';

/** How a PUT of bytes ended. After `differs`, `too-large`, `no-space` and `broken-off` it may be tried again. */
export type Received =
  | { outcome: 'stored'; id: string; bytes: number; sha256: string }
  | { outcome: 'unknown' | 'already-complete' | 'no-space' | 'broken-off' }
  | { outcome: 'too-large'; maxBytes: number }
  | { outcome: 'differs'; message: string };

interface ReceiveDeps {
  rows: UploadRows;
  store: ArtifactStore;
  maxBytes: number;
}

/**
 * Takes the bytes of an upload to the store and completes its row. Each try writes under a key of its own, so that two at once do not
 * mix; the first to commit wins and the other's bytes are removed. `length` is what the sender announced, if it did.
 */
export async function receiveUpload(
  { rows, store, maxBytes }: ReceiveDeps,
  viewer: Viewer | null,
  id: string,
  stream: Readable,
  length: number | null,
): Promise<Received> {
  const upload = parseId('upload', id) && (await rows.find(id));
  if (!upload || !isAllowed(viewer, 'use', upload)) return { outcome: 'unknown' };
  if (upload.isComplete) return { outcome: 'already-complete' };
  const limit = Math.min(maxBytes, upload.declaredBytes ?? maxBytes);
  if (length !== null && length > limit) return { outcome: 'too-large', maxBytes: limit };
  const storageKey = `uploads/${id}/${randomBytes(6).toString('hex')}`;
  let stored: StoredObject;
  try {
    stored = await store.put(storageKey, stream, { maxBytes: limit });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return error.reason === 'too-large'
      ? { outcome: 'too-large', maxBytes: limit }
      : { outcome: error.reason };
  }
  return (await keep(rows, store, upload, storageKey, stored)) ?? { outcome: 'stored', id, ...stored };
}

/** Null when the bytes are the upload's now; otherwise they are removed again. */
async function keep(
  rows: UploadRows,
  store: ArtifactStore,
  upload: UploadRecord,
  storageKey: string,
  stored: StoredObject,
): Promise<Received | null> {
  const difference = differenceOf(upload, stored);
  const isOurs =
    difference === null &&
    (await rows.complete(upload.id, {
      ...stored,
      storageKey,
      sniffedType: sniffType(await readHead(store, storageKey)),
    }));
  if (isOurs) return null;
  await store.remove(storageKey);
  return difference === null ? { outcome: 'already-complete' } : { outcome: 'differs', message: difference };
}

function differenceOf(upload: UploadRecord, stored: StoredObject): string | null {
  if (upload.declaredBytes !== null && upload.declaredBytes !== stored.bytes)
    return `${upload.declaredBytes} bytes were announced and ${stored.bytes} came.`;
  if (upload.declaredSha256 !== null && upload.declaredSha256 !== stored.sha256)
    return 'The SHA-256 of the bytes is not the one that was announced.';
  return null;
}
