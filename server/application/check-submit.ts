import type { Viewer } from '@gjm/core/access/policy.js';
import type { JobSpec } from '@gjm/core/job/spec.js';
import { invalid, success, type FieldProblem, type Result } from '@gjm/core/problem.js';
import { filePlacesOf, type FilePlace, type Kind } from '@gjm/core/workload/define.js';
import type { NewJobInput } from '../persistence/transitions/insert-job.js';
import { checkSpec } from './check-spec.js';
import type { JobInputs } from './job-inputs.js';

/** A submit that may be taken in. */
export interface CheckedSubmit {
  spec: JobSpec;
  kind: Kind;
  files: NewJobInput[];
}

/** Checks a submit whole. Whatever is wrong with its settings, its params and its files is told in one answer. */
export async function checkSubmit(
  viewer: Viewer,
  input: Record<string, unknown>,
  enabledKind: (name: string) => Kind | undefined,
  inputs: JobInputs,
): Promise<Result<CheckedSubmit>> {
  const { kind, spec, params, problems } = checkSpec(input, enabledKind);
  if (!kind) return invalid(problems, 'UNKNOWN_KIND');
  // How params fit each other can be said only when each is good by itself.
  const files = params
    ? await inputs.resolve(viewer, filePlacesOf(kind, params), (types) => kind.check?.(params, types) ?? [])
    : await inputs.resolve(viewer, fitPlaces(kind, input['params'], problems), () => []);
  if (spec && files.ok) return success({ spec, kind, files: files.value });
  const ofFiles = !files.ok && files.problem.type === 'ValidationProblem' ? files.problem.fields : [];
  const all = [...problems, ...ofFiles];
  return files.ok || all.length > 0 ? invalid(all) : files;
}

/** Of params that are not all good, those files that can be looked at all the same: a field, or a list it is in, is told once. */
function fitPlaces(kind: Kind, params: unknown, problems: readonly FieldProblem[]): FilePlace[] {
  const told = new Set(problems.map(({ path }) => path.join('.')));
  return filePlacesOf(kind, (params ?? {}) as Record<string, unknown>).filter(
    ({ name, field, value }) =>
      typeof value === 'string' && !told.has(`params.${name}`) && !told.has(`params.${field.field}`),
  );
}
