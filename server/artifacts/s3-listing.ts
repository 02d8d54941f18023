import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  type MultipartUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { S3Place } from './settings.js';

/** Something that {@link ArtifactStore.list} shows. */
interface Listed {
  key: string;
  writtenAt: Date;
}

/** Objects below the prefix in portions of 1,000, S3's own. What begins with a dot is not the store's. */
export async function* listObjects(client: S3Client, { bucket, prefix }: S3Place): AsyncGenerator<Listed> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }),
    );
    for (const { Key, LastModified } of page.Contents ?? []) {
      const key = Key?.slice(prefix.length);
      if (key && LastModified && !key.startsWith('.')) yield { key, writtenAt: LastModified };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** Uploads in parts that are under way or broke off, each with the time of its last part. */
export async function* listUnfinished(client: S3Client, place: S3Place): AsyncGenerator<Listed> {
  for await (const upload of unfinished(client, place, place.prefix)) {
    const lastPart = await lastPartOf(client, place, upload);
    const writtenAt = lastPart ?? upload.Initiated;
    if (writtenAt) yield { key: nameOf(upload, place), writtenAt };
  }
}

/** Ends the upload that {@link listUnfinished} showed under this name; one that is gone is a success. */
export async function abortUnfinished(client: S3Client, place: S3Place, name: string): Promise<void> {
  const key = place.prefix + name.replace(/\.[0-9a-f]{8}\.part$/, '');
  for await (const upload of unfinished(client, place, key)) {
    if (nameOf(upload, place) !== name) continue;
    const { Key, UploadId } = upload;
    await client.send(new AbortMultipartUploadCommand({ Bucket: place.bucket, Key, UploadId }));
  }
}

async function* unfinished(
  client: S3Client,
  { bucket }: S3Place,
  prefix: string,
): AsyncGenerator<MultipartUpload> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (marker) {
    const page: Awaited<ReturnType<typeof listPage>> = await listPage(client, bucket, prefix, marker);
    yield* page.Uploads ?? [];
    marker = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : null;
  }
}

const listPage = (client: S3Client, bucket: string, prefix: string, marker: object) =>
  client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }));

/** The names of uploads are S3's and long: eight digits of their digest stand for them. */
const nameOf = ({ Key, UploadId }: MultipartUpload, { prefix }: S3Place): string =>
  `${Key?.slice(prefix.length)}.${createHash('sha256')
    .update(UploadId ?? '')
    .digest('hex')
    .slice(0, 8)}.part`;

/** When the newest part came. Parts are listed by number, and are sent in that order, so that the last page has it. */
async function lastPartOf(
  client: S3Client,
  { bucket }: S3Place,
  { Key, UploadId }: MultipartUpload,
): Promise<Date | undefined> {
  let last: Date | undefined;
  let PartNumberMarker: string | undefined;
  do {
    const page = await client.send(new ListPartsCommand({ Bucket: bucket, Key, UploadId, PartNumberMarker }));
    last = page.Parts?.at(-1)?.LastModified ?? last;
    PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (PartNumberMarker !== undefined);
  return last;
}
