import type { Readable } from 'node:stream';
import { isAllowed, type Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import type { Result } from '@gjm/core/problem.js';
import type { ArtifactStore, ByteRange } from '../ports.js';
import { createUpload } from './create-upload.js';
import type { ArtifactRecord, ArtifactRows, NewArtifact, UploadRecord, UploadRows } from './ports.js';
import { receiveUpload, type Received } from './receive-upload.js';
import { signFileUrl, verifyFileUrl, type FileKind } from './signed-url.js';
import { createArtifact, storeArtifact, type ArtifactInput, type ArtifactStored } from './store-artifact.js';
import { findUsableFile, type UsableFile } from './usable-file.js';

export interface FileDeps {
  uploads: UploadRows;
  artifacts: ArtifactRows;
  store: ArtifactStore;
  urlKey: Buffer;
  /** Largest upload. */
  maxBytes: number;
}

/** A file that may be sent to its asker. */
export interface ServedFile {
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Null when the bytes are gone. */
  open(range?: ByteRange): Promise<Readable | null>;
}

/** Uploads and artifacts. Whoever may not see a file gets the same null as for an unknown id. */
export interface Files {
  /** A relative address that works for whatever `viewerId` may do when it is used. */
  signUrl(kind: FileKind, id: string, viewerId: string): string;
  /** The id of the user who signed, or null. */
  verifyUrl(kind: FileKind, id: string, query: { by?: unknown; exp?: unknown; sig?: unknown }): string | null;
  createUpload(viewer: Viewer, input: unknown): Promise<Result<UploadRecord>>;
  receiveUpload(
    viewer: Viewer | null,
    id: string,
    stream: Readable,
    length: number | null,
  ): Promise<Received>;
  findUpload(viewer: Viewer, id: string): Promise<UploadRecord | null>;
  findArtifact(viewer: Viewer, id: string): Promise<ArtifactRecord | null>;
  findUsableFile(viewer: Viewer, fileId: string): Promise<UsableFile | null>;
  findServedFile(viewer: Viewer | null, kind: FileKind, id: string): Promise<ServedFile | null>;
  /** The accepted RESULT artifacts of jobs that the caller was allowed to see, oldest first. */
  artifactsOfJobs(jobIds: readonly string[]): Promise<ArtifactRecord[]>;
  /** All artifacts of attempts, likewise. */
  artifactsOfAttempts(attemptIds: readonly string[]): Promise<ArtifactRecord[]>;
  createArtifact(artifact: NewArtifact, tokenHash: string): Promise<ArtifactStored>;
  storeArtifact(input: ArtifactInput, tokenHash: string, stream: Readable): Promise<ArtifactStored>;
}

export function createFiles({ uploads, artifacts, store, urlKey, maxBytes }: FileDeps): Files {
  const findUpload = async (viewer: Viewer | null, id: string) => {
    const upload = parseId('upload', id) && (await uploads.find(id));
    return upload && isAllowed(viewer, 'read', upload) ? upload : null;
  };
  const findArtifact = async (viewer: Viewer | null, id: string) => {
    const artifact = parseId('artifact', id) && (await artifacts.find(id));
    return artifact && isAllowed(viewer, 'read', artifact) ? artifact : null;
  };
  return {
    signUrl: (kind, id, viewerId) => signFileUrl(urlKey, kind, id, viewerId),
    verifyUrl: (kind, id, query) => verifyFileUrl(urlKey, kind, id, query),
    createUpload: createUpload(uploads, maxBytes),
    receiveUpload: (...call) => receiveUpload({ rows: uploads, store, maxBytes }, ...call),
    findUpload,
    findArtifact,
    findUsableFile: (viewer, fileId) => findUsableFile({ uploads, artifacts, store }, viewer, fileId),
    async findServedFile(viewer, kind, id) {
      const file =
        kind === 'upload' ? describeUpload(await findUpload(viewer, id)) : await findArtifact(viewer, id);
      if (!file) return null;
      const { name, mediaType, bytes, sha256, storageKey } = file;
      return { name, mediaType, bytes, sha256, open: (range) => store.open(storageKey, range) };
    },
    artifactsOfJobs: (ids) => artifacts.ofJobs(ids),
    artifactsOfAttempts: (ids) => artifacts.ofAttempts(ids),
    createArtifact: (artifact, tokenHash) => createArtifact(artifacts, artifact, tokenHash),
    storeArtifact: (...call) => storeArtifact({ rows: artifacts, store }, ...call),
  };
}

/** An upload has bytes to serve only when complete; its type is what its bytes prove. */
function describeUpload(upload: UploadRecord | null) {
  if (!upload?.isComplete || upload.bytes === null || upload.sha256 === null || upload.storageKey === null)
    return null;
  const { name, bytes, sha256, storageKey, sniffedType } = upload;
  return { name, mediaType: sniffedType ?? 'application/octet-stream', bytes, sha256, storageKey };
}
