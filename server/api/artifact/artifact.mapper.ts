import type { Viewer } from '@gjm/core/access/policy.js';
import type { ArtifactFacts } from '@gjm/core/wire/events.js';
import type { Files } from '../../application/files/files.js';
import type { ArtifactRecord } from '../../application/files/ports.js';
import { ArtifactType } from './artifact.type.js';

/** An artifact as `viewer` sees it: its address is signed for them. */
export const toArtifact = (
  artifact: ArtifactRecord,
  files: Pick<Files, 'signUrl'>,
  viewer: Viewer,
): ArtifactType =>
  Object.assign(new ArtifactType(), {
    id: artifact.id,
    name: artifact.name,
    mediaType: artifact.mediaType,
    bytes: artifact.bytes,
    sha256: artifact.sha256,
    role: artifact.role,
    attempt: artifact.attemptNumber,
    url: files.signUrl('artifact', artifact.id, viewer.id),
    createdAt: artifact.createdAt,
  });

/** The same from the snapshot that an event carries: the row may be gone. */
export const toArtifactOfEvent = (
  facts: ArtifactFacts,
  files: Pick<Files, 'signUrl'>,
  viewer: Viewer,
): ArtifactType =>
  Object.assign(new ArtifactType(), {
    ...facts,
    url: files.signUrl('artifact', facts.id, viewer.id),
    createdAt: new Date(facts.createdAt),
  });
