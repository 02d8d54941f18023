import type { Viewer } from '@gjm/core/access/policy.js';
import { parseFileId } from '@gjm/core/ids.js';
import { invalid, refusal, success, type Result } from '@gjm/core/problem.js';
import { fileFieldsOf, type Kind, type SniffedType } from '@gjm/core/workload/define.js';
import type { NewJobInput } from '../persistence/transitions/insert-job.js';
import type { Files } from './files/files.js';

export interface JobInputs {
  /** The files that params name: each must be the viewer's, complete, and by its bytes what the kind takes. */
  resolve(viewer: Viewer, kind: Kind, params: Record<string, unknown>): Promise<Result<NewJobInput[]>>;
}

/** Resolves file parameters through the files' own access rules. */
export function createJobInputs(files: Pick<Files, 'findUsableFile'>): JobInputs {
  return {
    async resolve(viewer, kind, params) {
      const inputs: NewJobInput[] = [];
      const types: Record<string, SniffedType> = {};
      for (const { field, accept, builtIn } of fileFieldsOf(kind)) {
        const value = params[field];
        if (value === undefined || builtIn.includes(String(value))) continue;
        const path = ['params', field];
        const fileId = parseFileId(value);
        const file = fileId && (await files.findUsableFile(viewer, fileId));
        if (!file) return invalid([{ path, message: 'There is no file with this id.' }]);
        if (!file.complete)
          return refusal({
            type: 'ConflictProblem',
            code: 'UPLOAD_INCOMPLETE',
            message: `The file for ${field} is not uploaded yet.`,
          });
        if (!accept.includes(file.sniffedType))
          return invalid([
            { path, message: `Its first bytes say ${file.sniffedType}; it must be ${accept.join(' or ')}.` },
          ]);
        types[field] = file.sniffedType;
        inputs.push({ field, fileId, bytes: file.bytes, sha256: file.sha256, storageKey: file.storageKey });
      }
      const problems = kind.check?.(params, types) ?? [];
      if (problems.length > 0)
        return invalid(problems.map(({ path, message }) => ({ path: ['params', ...path], message })));
      return success(inputs);
    },
  };
}
