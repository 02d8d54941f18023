import type { Viewer } from '@gjm/core/access/policy.js';
import type { Result } from '@gjm/core/problem.js';
import type { Files } from '../../application/files/files.js';
import type { UploadRecord } from '../../application/files/ports.js';
import { toProblem } from '../problem/problem.mapper.js';
import { CreateUploadSuccess, UploadType } from './upload.type.js';

/** Uploads that nothing used for a day are swept. */
const keptMs = 86_400_000;

/** An upload as `viewer` sees it: its address is signed for them. */
export const toUpload = (upload: UploadRecord, files: Pick<Files, 'signUrl'>, viewer: Viewer): UploadType =>
  Object.assign(new UploadType(), {
    id: upload.id,
    name: upload.name,
    url: files.signUrl('upload', upload.id, viewer.id),
    bytes: upload.bytes ?? upload.declaredBytes,
    sha256: upload.sha256 ?? upload.declaredSha256,
    complete: upload.isComplete,
    expiresAt: new Date(upload.lastUsedAt.getTime() + keptMs),
  });

export const toCreateUpload = (
  result: Result<UploadRecord>,
  files: Pick<Files, 'signUrl'>,
  viewer: Viewer,
): object =>
  result.ok
    ? Object.assign(new CreateUploadSuccess(), { upload: toUpload(result.value, files, viewer) })
    : toProblem(result.problem);
