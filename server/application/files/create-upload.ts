import { z } from 'zod';
import type { Viewer } from '@gjm/core/access/policy.js';
import { readFields } from '@gjm/core/field-problems.js';
import { invalid, success, type Result } from '@gjm/core/problem.js';
import { cleanText } from '@gjm/core/text/clean.js';
import { newId } from '../new-id.js';
import type { UploadRecord, UploadRows } from './ports.js';

const schemaFor = (maxBytes: number) =>
  z.object({
    name: z
      .string()
      .min(1)
      .max(255)
      .transform((name) => cleanText(name, 255)),
    bytes: z
      .union([z.number(), z.bigint()])
      .refine((bytes) => bytes >= 0, 'must be at least 0')
      .refine((bytes) => bytes <= maxBytes, `must be at most ${maxBytes}`)
      .transform(Number)
      .nullish(),
    mediaType: z
      .string()
      .max(127)
      .regex(/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/, 'must look like image/png')
      .transform((type) => cleanText(type, 127))
      .nullish(),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .transform((digest) => digest.toLowerCase())
      .nullish(),
  });

/** Announces a file; its bytes follow by PUT. Size and digest, when named, are what the bytes must have. */
export function createUpload(rows: UploadRows, maxBytes: number) {
  const schema = schemaFor(maxBytes);
  return async (viewer: Viewer, input: unknown): Promise<Result<UploadRecord>> => {
    const read = readFields(schema, input);
    if (!read.ok) return invalid(read.fields);
    const { name, bytes, mediaType, sha256 } = read.value;
    const upload = await rows.insert({
      id: newId('upload'),
      ownerId: viewer.id,
      name,
      declaredMediaType: mediaType ?? null,
      declaredBytes: bytes ?? null,
      declaredSha256: sha256 ?? null,
    });
    return success(upload);
  };
}
