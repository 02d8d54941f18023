import type { SniffedType } from '@gjm/core/workload/define.js';

/** An upload as the application knows it. Sizes are bytes, digests lower-case hex. */
export interface UploadRecord {
  id: string;
  ownerId: string;
  name: string;
  declaredMediaType: string | null;
  declaredBytes: number | null;
  declaredSha256: string | null;
  sniffedType: SniffedType | null;
  bytes: number | null;
  sha256: string | null;
  storageKey: string | null;
  isComplete: boolean;
  createdAt: Date;
  lastUsedAt: Date;
}

export type ArtifactRole = 'RESULT' | 'CHECKPOINT' | 'LOG';

export interface ArtifactRecord {
  id: string;
  jobId: string;
  attemptId: string;
  attemptNumber: number;
  role: ArtifactRole;
  /** A label given by the workload; never part of a path. */
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  storageKey: string;
  /** Part of the job's result. */
  accepted: boolean;
  createdAt: Date;
}

export interface NewUpload {
  id: string;
  ownerId: string;
  name: string;
  declaredMediaType: string | null;
  declaredBytes: number | null;
  declaredSha256: string | null;
}

export interface UploadRows {
  insert(upload: NewUpload): Promise<UploadRecord>;
  find(id: string): Promise<UploadRecord | null>;
  /** Compare-and-set: false when it was complete already or is gone. */
  complete(
    id: string,
    facts: { bytes: number; sha256: string; storageKey: string; sniffedType: SniffedType },
  ): Promise<boolean>;
  /** Notes a use, so that the sweeper keeps it; false when it is gone. Writes at most once an hour. */
  touch(id: string): Promise<boolean>;
}

export type NewArtifact = Omit<ArtifactRecord, 'accepted' | 'createdAt'>;

export interface ArtifactRows {
  find(id: string): Promise<(ArtifactRecord & { ownerId: string }) | null>;
  findByName(attemptId: string, role: ArtifactRole, name: string): Promise<ArtifactRecord | null>;
  /**
   * Adds a row for a running attempt whose token has this hash. `exists`: the attempt has one of this role and name; `stale`: it is not
   * running under this token any more.
   */
  insert(artifact: NewArtifact, tokenHash: string): Promise<'inserted' | 'exists' | 'stale'>;
  /** The accepted RESULT artifacts of each job, oldest first. */
  ofJobs(jobIds: readonly string[]): Promise<ArtifactRecord[]>;
  /** All artifacts of each attempt, oldest first. */
  ofAttempts(attemptIds: readonly string[]): Promise<ArtifactRecord[]>;
}
