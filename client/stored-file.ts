import { ArtifactDocument, UploadDocument, type ArtifactFieldsFragment } from './generated/graphql.js';
import type { Request, RequestOptions } from './request.js';

export type Artifact = ArtifactFieldsFragment;

/** A file whose bytes the server holds: an artifact or a complete upload. `url` is signed and runs out. */
export type StoredFile = Pick<Artifact, 'id' | 'name' | 'url' | 'bytes' | 'sha256'>;

/** Looks a file up by its id (`art_…`, `upl_…`); null when it is not there, not the viewer's, or not complete. */
export async function readStoredFile(
  request: Request,
  id: string,
  options: RequestOptions = {},
): Promise<StoredFile | null> {
  if (!id.startsWith('upl_')) {
    const { node } = await request(ArtifactDocument, { id }, options);
    return node?.__typename === 'Artifact' && 'url' in node ? node : null;
  }
  const { node } = await request(UploadDocument, { id }, options);
  if (node?.__typename !== 'Upload' || !('url' in node)) return null;
  const { name, url, bytes, sha256, complete } = node;
  return complete && bytes !== null && sha256 !== null ? { id, name, url, bytes, sha256 } : null;
}
