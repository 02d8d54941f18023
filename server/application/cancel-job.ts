import { isAllowed, type Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import { cancelTransition } from '@gjm/core/job/transition.js';
import { notFoundProblem, refusal, success, type Result } from '@gjm/core/problem.js';
import { cleanText } from '@gjm/core/text/clean.js';
import { settleSlackMs } from '@gjm/core/timing.js';
import type { Database } from '../persistence/database.js';
import type { JobRepository } from '../persistence/job.repository.js';
import { readJobFacts } from '../persistence/transitions/read-job-facts.js';
import type { JobChanger, JobDecision } from './change-job.js';
import type { JobRecord } from './records.js';

export type CancelJob = (viewer: Viewer, id: string, reason: string | null) => Promise<Result<JobRecord>>;

interface CancelDependencies {
  database: Database;
  jobs: JobRepository;
  changer: JobChanger;
  graceMs: number;
}

/** Cancels: a queued job ends at once, a running one gets a request that its worker must settle within grace + 15 s. Asking twice is fine. */
export function createCancelJob({ database, jobs, changer, graceMs }: CancelDependencies): CancelJob {
  return async (viewer, id, reason) => {
    const jobId = parseId('job', id);
    if (!jobId) return notFoundProblem();
    const by = { id: viewer.id, name: viewer.name };
    const text = reason === null ? null : cleanText(reason, 500);
    const answer = await changer.change(
      () => readJobFacts(database, jobId),
      (job): JobDecision<'hidden' | 'terminal' | 'cancelled'> => {
        if (!isAllowed(viewer, 'cancel', job)) return { answer: 'hidden' };
        const transition = cancelTransition(job, by, text, graceMs + settleSlackMs);
        if (transition === 'terminal') return { answer: 'terminal' };
        if (transition === 'already') return { answer: 'cancelled' };
        return { apply: transition, answer: 'cancelled' };
      },
    );
    if (answer === null || answer === 'hidden') return notFoundProblem();
    if (answer === 'terminal')
      return refusal({
        type: 'ConflictProblem',
        code: 'JOB_TERMINAL',
        message: 'The job has already ended.',
      });
    const job = await jobs.byId(jobId);
    return job ? success(job) : notFoundProblem();
  };
}
