import type { Viewer } from '@gjm/core/access/policy.js';
import { parseFileId } from '@gjm/core/ids.js';
import { invalid, refusal, success, type FieldProblem, type Result } from '@gjm/core/problem.js';
import type { FilePlace, ParamProblem, SniffedType } from '@gjm/core/workload/define.js';
import type { NewJobInput } from '../persistence/transitions/insert-job.js';
import type { Files } from './files/files.js';

export interface JobInputs {
  /**
   * The files that params name: each must be the viewer's, complete, and by its bytes what the kind takes. When all are, `check` says whether
   * their types, by name, fit the other params.
   */
  resolve(
    viewer: Viewer,
    places: readonly FilePlace[],
    check: (types: Readonly<Record<string, SniffedType>>) => ParamProblem[],
  ): Promise<Result<NewJobInput[]>>;
}

type FoundInput = NewJobInput & { type: SniffedType };

/** Resolves file parameters through the files' own access rules; every bad one is told. */
export function createJobInputs(files: Pick<Files, 'findUsableFile'>): JobInputs {
  return {
    async resolve(viewer, places, check) {
      const found: FoundInput[] = [];
      const problems: FieldProblem[] = [];
      for (const place of places) {
        const input = await find(files, viewer, place);
        if (input.ok) found.push(input.value);
        else if (input.problem.type === 'ValidationProblem') problems.push(...input.problem.fields);
        else return input;
      }
      const types = Object.fromEntries(found.map(({ field, type }) => [field, type]));
      const misfits = problems.length === 0 ? check(types) : [];
      problems.push(...misfits.map(({ path, message }) => ({ path: ['params', ...path], message })));
      return problems.length > 0 ? invalid(problems) : success(found.map(({ type: _, ...input }) => input));
    },
  };
}

async function find(
  files: Pick<Files, 'findUsableFile'>,
  viewer: Viewer,
  { name, path: below, value, field: { accept, builtIn } }: FilePlace,
): Promise<Result<FoundInput>> {
  const path = ['params', ...below];
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
      message: `The file for ${name} is not uploaded yet.`,
    });
  const { bytes, sha256, storageKey, sniffedType: type } = file;
  if (accept.includes(type)) return success({ field: name, fileId, bytes, sha256, storageKey, type });
  return invalid([{ path, message: `must be ${accept.join(' or ')}, but its first bytes say ${type}` }]);
}
