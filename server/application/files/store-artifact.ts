import type { Readable } from 'node:stream';
import { newId } from '../new-id.js';
import type { ArtifactStore } from '../ports.js';
import type { ArtifactRecord, ArtifactRows, NewArtifact } from './ports.js';

/** What a worker says of a file before its bytes. */
export type ArtifactInput = Omit<NewArtifact, 'id' | 'storageKey'>;

export type ArtifactStored =
  | { outcome: 'stored'; artifactId: string }
  /** `stale`: not this attempt's token any more. `name-taken`: other bytes have this name. `differs`: size or digest are not as said. */
  | { outcome: 'stale' | 'name-taken' | 'differs' };

interface StoreDeps {
  rows: ArtifactRows;
  store: ArtifactStore;
}

/**
 * Takes an attempt's file: bytes first, then its row. The same name, role and digest again gives the first one's id and leaves the stream
 * unread. Throws a `StorageError` when the bytes can not be taken.
 */
export async function storeArtifact(
  { rows, store }: StoreDeps,
  input: ArtifactInput,
  tokenHash: string,
  stream: Readable,
): Promise<ArtifactStored> {
  const first = await rows.findByName(input.attemptId, input.role, input.name);
  if (first) return sameOrTaken(first, input);
  const id = newId('artifact');
  const storageKey = `jobs/${input.jobId}/${input.attemptId}/${id}`;
  const stored = await store.put(storageKey, stream, { maxBytes: input.bytes });
  if (stored.bytes !== input.bytes || stored.sha256 !== input.sha256) {
    await store.remove(storageKey);
    return { outcome: 'differs' };
  }
  const result = await createArtifact(rows, { ...input, id, storageKey }, tokenHash);
  if (result.outcome !== 'stored' || result.artifactId !== id) await store.remove(storageKey);
  return result;
}

/** Adds the row of a file whose bytes are stored. Idempotent by attempt, role and name with an equal digest. */
export async function createArtifact(
  rows: ArtifactRows,
  artifact: NewArtifact,
  tokenHash: string,
): Promise<ArtifactStored> {
  const result = await rows.insert(artifact, tokenHash);
  if (result === 'inserted') return { outcome: 'stored', artifactId: artifact.id };
  if (result === 'stale') return { outcome: 'stale' };
  const first = await rows.findByName(artifact.attemptId, artifact.role, artifact.name);
  return first ? sameOrTaken(first, artifact) : { outcome: 'stale' };
}

const sameOrTaken = (first: ArtifactRecord, input: { bytes: number; sha256: string }): ArtifactStored =>
  first.sha256 === input.sha256 && first.bytes === input.bytes
    ? { outcome: 'stored', artifactId: first.id }
    : { outcome: 'name-taken' };
