import type { Viewer } from '@gjm/core/access/policy.js';
import { parseFileId } from '@gjm/core/ids.js';
import { invalid, refusal, success, type FieldProblem, type Result } from '@gjm/core/problem.js';
import { fileFieldsOf, type FileField, type Kind, type SniffedType } from '@gjm/core/workload/define.js';
import type { NewJobInput } from '../persistence/transitions/insert-job.js';
import type { Files } from './files/files.js';

export interface JobInputs {
  /** The files that params name: each must be the viewer's, complete, and by its bytes what the kind takes. */
  resolve(viewer: Viewer, kind: Kind, params: Record<string, unknown>): Promise<Result<NewJobInput[]>>;
}

type FoundInput = NewJobInput & { type: SniffedType };

/** Resolves file parameters through the files' own access rules; every bad one is told. */
export function createJobInputs(files: Pick<Files, 'findUsableFile'>): JobInputs {
  return {
    async resolve(viewer, kind, params) {
      const found: FoundInput[] = [];
      const problems: FieldProblem[] = [];
      for (const field of fileFieldsOf(kind)) {
        const value = params[field.field];
        if (value === undefined || field.builtIn.some((word) => word === value)) continue;
        const input = await find(files, viewer, field, value);
        if (input.ok) found.push(input.value);
        else if (input.problem.type === 'ValidationProblem') problems.push(...input.problem.fields);
        else return input;
      }
      const types = Object.fromEntries(found.map(({ field, type }) => [field, type]));
      const misfits = problems.length === 0 ? (kind.check?.(params, types) ?? []) : [];
      problems.push(...misfits.map(({ path, message }) => ({ path: ['params', ...path], message })));
      return problems.length > 0 ? invalid(problems) : success(found.map(({ type: _, ...input }) => input));
    },
  };
}

async function find(
  files: Pick<Files, 'findUsableFile'>,
  viewer: Viewer,
  { field, accept, builtIn }: FileField,
  value: unknown,
): Promise<Result<FoundInput>> {
  const path = ['params', field];
  const fileId = parseFileId(value);
  const file = fileId && (await files.findUsableFile(viewer, fileId));
  if (!file) {
    const words = builtIn.map((word) => `"${word}" or `).join('');
    return invalid([{ path, message: `must be ${words}the id of a file of yours` }]);
  }
  if (!file.complete)
    return refusal({
      type: 'ConflictProblem',
      code: 'UPLOAD_INCOMPLETE',
      message: `The file for ${field} is not uploaded yet.`,
    });
  const { bytes, sha256, storageKey, sniffedType: type } = file;
  if (accept.includes(type)) return success({ field, fileId, bytes, sha256, storageKey, type });
  return invalid([{ path, message: `must be ${accept.join(' or ')}, but its first bytes say ${type}` }]);
}
