import { canFollow } from '@gjm/core/job/status.js';
import type { JobTransition } from '@gjm/core/job/transition.js';
import type { Timing } from '@gjm/core/timing.js';
import type { Database } from '../persistence/database.js';
import { applyTransition } from '../persistence/transitions/apply-transition.js';
import type { LoadedJob } from '../persistence/transitions/read-job-facts.js';
import { countEnd, type EndedAttempts } from './ended-attempts.js';
import type { WakeUps } from './wake-ups.js';

/** What a decision says: a transition to apply, or an answer to give without one. */
export type JobDecision<Answer> = { apply: JobTransition; answer: Answer } | { answer: Answer };

export interface JobChanger {
  /**
   * The only way a job's status changes: load the facts, decide by pure code, apply under guard; when another change came first, load and
   * decide again. Returns the answer that belongs to what was committed. `load` gives null for an unknown job, and so is the answer then.
   */
  change<Answer>(
    load: () => Promise<LoadedJob | null>,
    decide: (job: LoadedJob) => JobDecision<Answer> | Promise<JobDecision<Answer>>,
  ): Promise<Answer | null>;
}

/** Tries before a change gives up: each failed one means that another change of the same job was committed meanwhile. */
const maxTries = 50;

/** Applies transitions and, after their commit, wakes watchers, workers and the scheduler. `timing` as in {@link applyTransition}. */
export function createJobChanger(
  database: Database,
  wakeUps: WakeUps,
  timing: Pick<Timing, 'dispatchMs' | 'leaseMs'>,
  ended: EndedAttempts,
): JobChanger {
  return {
    async change(load, decide) {
      for (let tries = 0; tries < maxTries; tries++) {
        const job = await load();
        if (!job) return null;
        const decision = await decide(job);
        if (!('apply' in decision)) return decision.answer;
        const { apply } = decision;
        if (apply.to !== job.status && !canFollow(job.status, apply.to))
          throw new Error(`${apply.to} can not follow ${job.status}.`);
        const lastSequence = await applyTransition(database, apply, timing);
        if (lastSequence === null) continue;
        countEnd(ended, apply);
        wakeUps.jobChanged(apply, lastSequence, job.attempt?.workerId ?? null);
        return decision.answer;
      }
      throw new Error('The job changes faster than this request can follow.');
    },
  };
}
