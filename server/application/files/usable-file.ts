import { isAllowed, type Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import type { SniffedType } from '@gjm/core/workload/define.js';
import type { ArtifactStore } from '../ports.js';
import type { ArtifactRows, UploadRows } from './ports.js';
import { readHead } from './read-head.js';
import { sniffType } from './sniff.js';

/** A file as a job's input. All but `complete` may be trusted only when it is complete. */
export interface UsableFile {
  bytes: number;
  sha256: string;
  storageKey: string;
  sniffedType: SniffedType;
  complete: boolean;
}

interface UsableDeps {
  uploads: UploadRows;
  artifacts: ArtifactRows;
  store: ArtifactStore;
}

/**
 * A file that `viewer` may use as input, or null for an unknown, foreign or malformed id: an upload, or a CHECKPOINT or an accepted RESULT.
 * An upload that is used is kept from the sweeper for another day.
 */
export async function findUsableFile(
  { uploads, artifacts, store }: UsableDeps,
  viewer: Viewer,
  fileId: string,
): Promise<UsableFile | null> {
  if (parseId('upload', fileId)) {
    const upload = await uploads.find(fileId);
    if (!upload || !isAllowed(viewer, 'use', upload) || !(await uploads.touch(fileId))) return null;
    return {
      bytes: upload.bytes ?? 0,
      sha256: upload.sha256 ?? '',
      storageKey: upload.storageKey ?? '',
      sniffedType: upload.sniffedType ?? 'application/octet-stream',
      complete: upload.isComplete,
    };
  }
  const artifact = parseId('artifact', fileId) && (await artifacts.find(fileId));
  if (!artifact || !isAllowed(viewer, 'use', artifact)) return null;
  if (artifact.role !== 'CHECKPOINT' && !(artifact.role === 'RESULT' && artifact.accepted)) return null;
  const { bytes, sha256, storageKey } = artifact;
  return {
    bytes,
    sha256,
    storageKey,
    sniffedType: sniffType(await readHead(store, storageKey)),
    complete: true,
  };
}
