import type { ArtifactStore } from '../application/ports.js';
import { claimArtifactFolder } from '../artifacts/folder-marker.js';
import { createFolderStore } from '../artifacts/folder.js';
import type { ArtifactSettings } from '../artifacts/settings.js';
import type { MarkedInstallation } from '../artifacts/store-problem.js';
import type { NamedLook } from '../health.js';
import { requireFolder, requireSpace } from '../preflight/check-folder.js';
import type { Releases } from '../releases.js';

/** Where files are kept, bound to this installation. */
export interface Artifacts {
  store: ArtifactStore;
  artifactLooks: NamedLook[];
}

/** Opens the store that is set. `beforeCommit` runs when the bytes of a file are there and its key is not yet. */
export async function openArtifacts(
  settings: ArtifactSettings,
  installation: MarkedInstallation,
  beforeCommit: (() => Promise<void>) | null,
  releases: Releases,
): Promise<Artifacts> {
  if (settings.kind === 's3') {
    const { openBucket } = await import('./open-bucket.js'); // a large library, loaded only where it is used
    return openBucket(settings, installation, beforeCommit, releases);
  }
  const { folder } = settings;
  await claimArtifactFolder(folder, installation);
  return {
    store: createFolderStore(folder, { beforeCommit }),
    artifactLooks: [
      ['artifact-folder', () => requireFolder(folder, installation.id)],
      ['artifact-space', () => requireSpace(folder)],
    ],
  };
}
