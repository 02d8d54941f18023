import type { ArtifactStore } from '../ports.js';
import { sniffBytes } from './sniff.js';

/** The first bytes of a stored object, fewer when it is shorter; empty when there is none. */
export async function readHead(store: ArtifactStore, key: string): Promise<Uint8Array> {
  const stat = await store.stat(key);
  if (!stat || stat.bytes === 0) return new Uint8Array();
  const stream = await store.open(key, { start: 0, end: Math.min(stat.bytes, sniffBytes) - 1 });
  const parts: Buffer[] = [];
  if (stream) for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
