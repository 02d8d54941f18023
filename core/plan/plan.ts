import type { Kind } from '../workload/define.js';
import type { Policy } from '../policy/policy.js';

/** The engine of kinds that run programs, which bring what computes themselves. */
export const programEngine = 'process';

/** What was chosen for a job before it meets a device: stored, shown, and obeyed by the scheduler. */
export interface Plan {
  tier: string | null;
  /** Engines that may run it, best first. */
  engines: string[];
  /** Device memory it needs, in bytes; 0 = does not matter. */
  memoryBytes: number;
  /** Names of the checks its output must pass. */
  validators: string[];
  policyVersion: string;
  why: string;
}

/** What a plan reads of a job. */
export interface PlanInput {
  kind: Kind;
  tier: string | null;
}

/** Chooses the smallest tier of the kind's ladder (or the one that was asked for) and what it needs. Pure. */
export function planJob(input: PlanInput, policy: Policy): Plan {
  const { kind } = input;
  const engines = kind.runsPrograms ? [programEngine] : [...policy.engineOrder];
  const tier = kind.tiers.find(({ name }) => name === input.tier) ?? kind.tiers[0] ?? null;
  return {
    tier: tier?.name ?? null,
    engines,
    memoryBytes: tier?.memoryBytes ?? 0,
    validators: ['output-present'],
    policyVersion: policy.version,
    why: `${tierSentence(kind, tier?.name ?? null, input.tier)} ${enginesSentence(engines)}`,
  };
}

const enginesSentence = (engines: string[]): string =>
  engines.length === 1 ? `Engine: ${engines[0]}.` : `Engines in order: ${engines.join(', ')}.`;

function tierSentence(kind: Kind, tier: string | null, asked: string | null): string {
  if (tier === null) return `${kind.name} has no tiers to choose from.`;
  if (tier === asked) return `Tier ${tier} of ${kind.name}, as asked.`;
  if (kind.tiers.length === 1) return `Tier ${tier}, the only one of ${kind.name}.`;
  return `Tier ${tier}, the smallest of ${kind.name} that is eligible.`;
}
