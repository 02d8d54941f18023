import type { z } from 'zod';
import { jobSpecSchema, type JobSpec } from '@gjm/core/job/spec.js';
import { invalid, success, type FieldProblem, type Result } from '@gjm/core/problem.js';
import type { Kind } from '@gjm/core/workload/define.js';

/** Checks a submit, whose text is clean, against the common rules, then its params against its kind's; every bad field is named by its path. */
export function checkSpec(
  input: unknown,
  enabledKind: (name: string) => Kind | undefined,
): Result<{ spec: JobSpec; kind: Kind }> {
  const parsed = jobSpecSchema.safeParse(input);
  if (!parsed.success) return invalid(problemsOf(parsed.error));
  const spec = parsed.data;
  const kind = enabledKind(spec.kind);
  if (!kind) return invalid([{ path: ['kind'], message: `There is no kind ${spec.kind}.` }], 'UNKNOWN_KIND');
  const params = kind.params.safeParse(withoutNulls(spec.params));
  const problems = [...notBuilt(spec, kind), ...(params.success ? [] : problemsOf(params.error, ['params']))];
  if (problems.length > 0 || !params.success) return invalid(problems);
  return success({ spec: { ...spec, params: params.data as Record<string, unknown> }, kind });
}

/** Fields of the contract that this version does not carry out are refused, never ignored. */
function notBuilt(spec: JobSpec, kind: Kind): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (spec.dependsOn.length > 0)
    problems.push({ path: ['dependsOn'], message: 'Jobs can not depend on others yet.' });
  if (spec.devices > 1) problems.push({ path: ['devices'], message: 'A job can have one device only.' });
  if (spec.tier != null)
    problems.push({ path: ['tier'], message: `${kind.name} has no choice of tiers: leave it out.` });
  return problems;
}

/** In params, too, null stands for the default. */
const withoutNulls = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));

/** zod's issues as field problems; an unknown key is named itself. */
function problemsOf(error: z.ZodError, prefix: string[] = []): FieldProblem[] {
  return error.issues.slice(0, 50).flatMap((issue): FieldProblem[] => {
    const path = [...prefix, ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], message: 'There is no such field.' }));
    return [{ path, message: issue.message }];
  });
}
