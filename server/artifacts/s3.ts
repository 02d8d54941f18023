import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import type { ArtifactStore, ByteRange } from '../application/ports.js';
import { asStoreFailure, orNull } from './s3-client.js';
import { abortUnfinished, listObjects, listUnfinished } from './s3-listing.js';
import { uploadStream } from './s3-upload.js';
import { takeFrom } from './sender.js';
import type { S3Place } from './settings.js';
import { requireKey } from './storage-key.js';

/** What an S3 store may be told. */
export interface S3StoreOptions {
  /** Runs when all bytes came, before the call that makes the key appear. */
  beforeCommit?: (() => Promise<void>) | null;
}

const rangeOf = (range?: ByteRange) => (range ? { Range: `bytes=${range.start}-${range.end}` } : {});

/**
 * Objects of one bucket below a prefix, by any server that speaks S3. An object appears whole or not at all by S3's own rules. A store that
 * is away is `UNAVAILABLE`, and may be tried again.
 */
export function createS3Store(client: S3Client, place: S3Place, options: S3StoreOptions = {}): ArtifactStore {
  const targetOf = (key: string) => ({ Bucket: place.bucket, Key: place.prefix + requireKey(key) });
  return {
    put: (key, stream, { maxBytes }) =>
      takeFrom(stream, () =>
        explain(uploadStream(client, targetOf(key), stream, maxBytes, options.beforeCommit ?? null)),
      ),
    async open(key, range) {
      const command = new GetObjectCommand({ ...targetOf(key), ...rangeOf(range) });
      const found = await explain(orNull(client.send(command)));
      return found && (found.Body as Readable);
    },
    async stat(key) {
      const found = await explain(orNull(client.send(new HeadObjectCommand(targetOf(key)))));
      return found && { bytes: found.ContentLength ?? 0 };
    },
    async remove(key) {
      const target = targetOf(key);
      if (key.endsWith('.part')) await explain(abortUnfinished(client, place, key));
      else await explain(orNull(client.send(new DeleteObjectCommand(target))));
    },
    async *list() {
      yield* listObjects(client, place);
      yield* listUnfinished(client, place);
    },
  };
}

async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asStoreFailure(error);
  }
}
