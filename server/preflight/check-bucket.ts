import type { S3Client } from '@aws-sdk/client-s3';
import { describeS3Fault, readMarker, writeMarker } from '../artifacts/s3-marker.js';
import type { S3Place } from '../artifacts/settings.js';
import { Explained } from './explained.js';

/** The bucket must still hold this installation's files, and take bytes. */
export async function requireBucket(client: S3Client, place: S3Place, installationId: string): Promise<void> {
  const found = await explain('read', readMarker(client, place));
  if (found !== installationId)
    throw new Explained(
      'The bucket of files (GJM_S3_BUCKET, GJM_S3_PREFIX) does not carry the mark of this installation any more.',
    );
  await explain('written', writeMarker(client, place, installationId));
}

async function explain<T>(act: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Explained(`The bucket of files (GJM_S3_BUCKET) can not be ${act}: ${describeS3Fault(error)}`);
  }
}
