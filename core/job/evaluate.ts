import type { Kind } from '../workload/define.js';
import { failureOf, type JobFailure } from './failure.js';

/** What is known of an attempt's output once its worker says it is done. */
export interface OutputFacts {
  chosenEngine: string;
  usedEngine: string | null;
  /** Names of the stored RESULT artifacts that the worker named; each was verified by size and digest when it was stored. */
  stored: string[];
  /** How many artifacts the worker named. */
  named: number;
}

/** One check with what it saw. */
export interface Check {
  name: string;
  passed: boolean;
  saw: string;
}

export type Verdict =
  { accept: true; checks: Check[] } | { accept: false; checks: Check[]; failure: JobFailure };

/** Success is proven, not assumed: the chosen engine computed, and every output that the kind promises is stored. Pure. */
export function evaluate(facts: OutputFacts, kind: Kind): Verdict {
  const missing = kind.outputs.filter((name) => !facts.stored.includes(name));
  const checks: Check[] = [
    {
      name: 'engine-in-use',
      passed: facts.usedEngine === facts.chosenEngine,
      saw: facts.usedEngine ?? 'none',
    },
    {
      name: 'output-present',
      passed: missing.length === 0 && facts.stored.length === facts.named,
      saw: facts.stored.join(', ') || 'no artifacts',
    },
  ];
  if (!checks[0]!.passed) {
    const used = facts.usedEngine ?? 'no engine';
    const failure = failureOf(
      'NO_ENGINE',
      `The job was placed for ${facts.chosenEngine}, but ${used} computed it.`,
    );
    return { accept: false, checks, failure };
  }
  if (!checks[1]!.passed) {
    const what = missing.length > 0 ? `${missing.join(', ')} is missing` : 'some artifacts were not stored';
    return {
      accept: false,
      checks,
      failure: failureOf('OUTPUT_INVALID', `The output is not complete: ${what}.`),
    };
  }
  return { accept: true, checks };
}
