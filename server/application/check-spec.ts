import { readFields } from '@gjm/core/field-problems.js';
import { jobSpecSchema, type JobSpec } from '@gjm/core/job/spec.js';
import type { FieldProblem } from '@gjm/core/problem.js';
import type { Kind } from '@gjm/core/workload/define.js';

/** A submit as far as its own text tells: what is wrong with it, and what it asks for where nothing is. */
export interface CheckedSpec {
  /** Null for one that is unknown here or disabled, which `problems` then begin with. */
  kind: Kind | null;
  /** Null when anything is wrong. */
  spec: JobSpec | null;
  /** Null when any of the params is wrong. */
  params: Record<string, unknown> | null;
  problems: FieldProblem[];
}

/** Checks a submit, whose text is clean, against the common rules and its params against its kind's: every bad field is told at once. */
export function checkSpec(
  input: Record<string, unknown>,
  enabledKind: (name: string) => Kind | undefined,
): CheckedSpec {
  const settings = readFields(jobSpecSchema, input);
  const kind = enabledKind(String(input['kind'])) ?? null;
  const params = kind && readFields(kind.params, withoutNulls(input['params']), ['params']);
  const problems = [
    ...(kind ? [] : [{ path: ['kind'], message: 'is no kind of job that this installation takes' }]),
    ...(settings.ok ? unfitSettings(settings.value, kind) : settings.fields.filter(isNotKind)),
    ...(params && !params.ok ? params.fields : []),
  ];
  const given = params?.ok ? (params.value as Record<string, unknown>) : null;
  const isGood = settings.ok && given !== null && problems.length === 0;
  return { kind, spec: isGood ? { ...settings.value, params: given } : null, params: given, problems };
}

/** What is wrong with the kind's name is told by its being unknown. */
const isNotKind = ({ path }: FieldProblem): boolean => path[0] !== 'kind';

/** A tier that the kind does not have, and fields of the contract that this version does not carry out, are refused, never ignored. */
function unfitSettings(spec: JobSpec, kind: Kind | null): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (spec.dependsOn.length > 0)
    problems.push({ path: ['dependsOn'], message: 'must be empty: jobs can not depend on others yet' });
  if (spec.devices > 1 && !kind?.runsPrograms)
    problems.push({ path: ['devices'], message: 'must be 1: only jobs that run programs can have more' });
  const tier = spec.tier != null && kind ? unfitTier(spec.tier, kind) : null;
  if (tier) problems.push({ path: ['tier'], message: tier });
  return problems;
}

function unfitTier(tier: string, { name, tiers }: Kind): string | null {
  if (tiers.length === 0) return `must be left out: ${name} has no choice of tiers`;
  const names = tiers.map((it) => it.name);
  return names.includes(tier) ? null : `is not one of ${names.join(', ')}`;
}

/** In params, too, null stands for the default. What is no object stays what it is, to be refused as that. */
function withoutNulls(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params;
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}
