import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import type { StoredObject } from '../application/ports.js';
import { chunksOf, Meter } from './sender.js';

/** A part in bytes: two are in memory at a time. Larger only where 10,000, the most that S3 takes, would not be enough. */
const partBytes = 8 * 1024 ** 2;
const partsAtMost = 10_000;

interface Target {
  Bucket: string;
  Key: string;
}

/** Stores a stream under a key, which appears when all is there: what fits into one part by one call, else part by part. */
export async function uploadStream(
  client: S3Client,
  target: Target,
  stream: Readable,
  maxBytes: number,
  beforeCommit: (() => Promise<void>) | null,
): Promise<StoredObject> {
  const meter = new Meter(maxBytes);
  const parts = cutParts(stream, meter, Math.max(partBytes, Math.ceil(maxBytes / partsAtMost)));
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) {
    await beforeCommit?.();
    await client.send(new PutObjectCommand({ ...target, Body: first.done ? Buffer.alloc(0) : first.value }));
    return meter.total();
  }
  await uploadParts(client, target, [first.value as Buffer, second.value], parts, beforeCommit);
  return meter.total();
}

/** What broke off is taken back; where that fails too, the sweeper of orphans finds it. */
async function uploadParts(
  client: S3Client,
  target: Target,
  begun: Buffer[],
  rest: AsyncIterable<Buffer>,
  beforeCommit: (() => Promise<void>) | null,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { ...target, UploadId };
  const done: CompletedPart[] = [];
  const send = async (Body: Buffer): Promise<void> => {
    const PartNumber = done.length + 1;
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    done.push({ ETag, PartNumber });
  };
  try {
    for (const part of begun) await send(part);
    for await (const part of rest) await send(part);
    await beforeCommit?.();
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

/** The stream cut into pieces of `size` bytes, the last one smaller; read on only when the next piece is asked for. */
async function* cutParts(stream: Readable, meter: Meter, size: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunksOf(stream)) {
    meter.add(chunk);
    for (let rest = chunk; rest.length > 0;) {
      const taken = rest.subarray(0, size - held);
      chunks.push(taken);
      held += taken.length;
      rest = rest.subarray(taken.length);
      if (held < size) continue;
      yield Buffer.concat(chunks);
      [chunks, held] = [[], 0];
    }
  }
  if (held > 0) yield Buffer.concat(chunks);
}
