import { GetObjectCommand, PutObjectCommand, S3ServiceException, type S3Client } from '@aws-sdk/client-s3';
import { orNull } from './s3-client.js';
import type { S3Place } from './settings.js';
import { markerName, StoreProblem, type MarkedInstallation } from './store-problem.js';

/**
 * Makes sure that a place in a bucket and a database belong together, by the same rules as a folder's marker. The bucket must exist: making
 * it is its owner's decision.
 */
export async function claimBucket(
  client: S3Client,
  place: S3Place,
  installation: MarkedInstallation,
): Promise<void> {
  const where = `GJM_S3_BUCKET (${place.bucket}${place.prefix && `, GJM_S3_PREFIX ${place.prefix}`})`;
  const found = await readMarker(client, place).catch((error: unknown) => {
    throw new StoreProblem(`${where} can not be used: ${describeS3Fault(error)}`, { cause: error });
  });
  if (found === installation.id) return;
  if (found !== null) throw new StoreProblem(`${where} holds the files of another database: choose another.`);
  if (installation.hasArtifacts) throw new StoreProblem(`${where} is not where this database's files are.`);
  // All servers of an installation write the same text, so that two at once do no harm.
  await writeMarker(client, place, installation.id).catch((error: unknown) => {
    throw new StoreProblem(`${where} can not be written: ${describeS3Fault(error)}`, { cause: error });
  });
}

const markerOf = ({ bucket, prefix }: S3Place) => ({ Bucket: bucket, Key: `${prefix}${markerName}` });

/** The id that the place carries, or null. */
export async function readMarker(client: S3Client, place: S3Place): Promise<string | null> {
  const found = await orNull(client.send(new GetObjectCommand(markerOf(place))));
  return (await found?.Body?.transformToString())?.trim() ?? null;
}

/** Also the proof that something can be written: writing the same again changes nothing. */
export async function writeMarker(client: S3Client, place: S3Place, id: string): Promise<void> {
  await client.send(new PutObjectCommand({ ...markerOf(place), Body: `${id}\n` }));
}

const knownFaults: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket.',
  AccessDenied: 'these keys may not use it.',
  InvalidAccessKeyId: 'the access key is not known there.',
  SignatureDoesNotMatch: 'the secret key is not the one of the access key.',
  CredentialsProviderError: 'no access key is given, and this machine has no role.',
  PermanentRedirect: 'it lies in another region than GJM_S3_REGION.',
  AuthorizationHeaderMalformed: 'it lies in another region than GJM_S3_REGION.',
};

/** What is wrong, in words that may be shown to everybody: no address, no key. */
export function describeS3Fault(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return (
    knownFaults[name] ?? (status ? `the store answers ${status} ${name}.` : 'the store does not answer.')
  );
}
