import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseId } from '@gjm/core/ids.js';

export type FileKind = 'upload' | 'artifact';

/** Shortest life of an address in seconds. Ends are rounded up to the hour, so that an address stays the same for an hour: caches work. */
const lifeSeconds: Record<FileKind, number> = { upload: 86_400, artifact: 3_600 };
const hour = 3_600;

/** The path of a file without a signature. */
export const filePath = (kind: FileKind, id: string): string => `/files/${kind}s/${id}`;

/** A relative address with which its holder may do what `viewerId` may do with this one file, until it expires. */
export function signFileUrl(
  key: Buffer,
  kind: FileKind,
  id: string,
  viewerId: string,
  nowSeconds = Date.now() / 1000,
): string {
  const expires = (Math.floor(nowSeconds / hour) + 1) * hour + lifeSeconds[kind];
  const signature = signatureOf(key, kind, id, viewerId, expires).toString('base64url');
  return `${filePath(kind, id)}?by=${viewerId}&exp=${expires}&sig=${signature}`;
}

/** The user who signed, or null for anything but a good and living signature for exactly this file. */
export function verifyFileUrl(
  key: Buffer,
  kind: FileKind,
  id: string,
  query: { by?: unknown; exp?: unknown; sig?: unknown },
  nowSeconds = Date.now() / 1000,
): string | null {
  const viewerId = parseId('user', query.by);
  if (!viewerId || typeof query.exp !== 'string' || typeof query.sig !== 'string') return null;
  if (!/^\d{1,12}$/.test(query.exp) || Number(query.exp) <= nowSeconds) return null;
  const expected = signatureOf(key, kind, id, viewerId, Number(query.exp));
  const given = Buffer.from(query.sig, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected) ? viewerId : null;
}

const signatureOf = (key: Buffer, kind: FileKind, id: string, viewerId: string, expires: number): Buffer =>
  createHmac('sha256', key).update(`${kind}\n${id}\n${viewerId}\n${expires}`).digest();
