import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { AppError, unavailable } from '@gjm/core/errors.js';
import { StorageError } from '../application/ports.js';
import type { S3Settings } from './settings.js';

/** A connection comes about, and an answer goes on, within these times in ms; after that the store counts as away. */
const connectMs = 3_000;
const silenceMs = 30_000;

/** A client of one bucket. Without keys of our own, those of the surroundings count (a role of the machine or the pod). */
export function connectS3({ endpoint, region, pathStyle, credentials }: S3Settings): S3Client {
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
    region,
    forcePathStyle: pathStyle,
    // Bodies are signed with their SHA-256; further checksums are not known to every server of this protocol.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  });
}

/** What `work` gives, or null when there is no such key. Other things are not found too, and are failures: a bucket, a user. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)) return null;
    throw error;
  }
}

const fullNames = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'];

/** A failure of the store in our words: full, or away for now; what the sender did keeps its own. */
export function asStoreFailure(error: unknown): unknown {
  if (error instanceof StorageError || error instanceof AppError) return error;
  const name = error instanceof Error ? error.name : '';
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 507 || fullNames.includes(name)) return new StorageError('no-space', { cause: error });
  return unavailable('The store of files does not answer as it should. Try again in a moment.', error);
}
