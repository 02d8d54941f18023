import type { Viewer } from '@gjm/core/access/policy.js';
import type { JobSpec } from '@gjm/core/job/spec.js';
import { invalid, success, type FieldProblem, type Result } from '@gjm/core/problem.js';
import { fileFieldsOf, type Kind } from '@gjm/core/workload/define.js';
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
  const files = params
    ? await inputs.resolve(viewer, kind, params)
    : await inputs.resolve(viewer, filesOnly(kind), fitFiles(kind, input['params'], problems));
  if (spec && files.ok) return success({ spec, kind, files: files.value });
  const ofFiles = !files.ok && files.problem.type === 'ValidationProblem' ? files.problem.fields : [];
  const all = [...problems, ...ofFiles.filter(({ path }) => !isTold(path, problems))];
  return files.ok || all.length > 0 ? invalid(all) : files;
}

/** Only its files are asked about: how params fit each other can be said only when each is good by itself. */
const filesOnly = ({ name, title, description, params, tiers, outputs }: Kind): Kind => ({
  name,
  title,
  description,
  params,
  tiers,
  outputs,
});

/** Of params that are not all good, those files that can be looked at all the same. */
function fitFiles(kind: Kind, params: unknown, problems: readonly FieldProblem[]): Record<string, unknown> {
  const given = (params ?? {}) as Record<string, unknown>;
  const fit = fileFieldsOf(kind).filter(
    ({ field }) => typeof given[field] === 'string' && !isTold(['params', field], problems),
  );
  return Object.fromEntries(fit.map(({ field }) => [field, given[field]]));
}

/** A field is told once. */
const isTold = (path: readonly string[], problems: readonly FieldProblem[]): boolean =>
  problems.some((problem) => problem.path.join('.') === path.join('.'));
