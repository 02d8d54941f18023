import { isAllowed, type Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import { isTerminal } from '@gjm/core/job/status.js';
import { notFoundProblem, refusal, success, type Result } from '@gjm/core/problem.js';
import type { TransactionalDatabase } from '../persistence/database.js';
import type { JobRepository } from '../persistence/job.repository.js';
import { countDependants, deleteTerminalJob } from '../persistence/transitions/delete-job.js';
import type { PassPoint } from './fault.js';
import type { WakeUps } from './wake-ups.js';

export type DeleteJob = (viewer: Viewer, id: string) => Promise<Result<string>>;

interface DeleteDependencies {
  database: TransactionalDatabase;
  jobs: JobRepository;
  wakeUps: WakeUps;
  pass: PassPoint;
  /** After the commit: there are bytes to remove. */
  onRemoved: () => void;
}

/** Deletes an ended job with all its rows at once; its bytes follow. */
export function createDeleteJob(dependencies: DeleteDependencies): DeleteJob {
  const { database, jobs, wakeUps, pass, onRemoved } = dependencies;
  return async (viewer, id) => {
    const jobId = parseId('job', id);
    const job = jobId && (await jobs.byId(jobId));
    if (!job || !isAllowed(viewer, 'delete', job)) return notFoundProblem();
    if (!isTerminal(job.status))
      return refusal({
        type: 'ConflictProblem',
        code: 'JOB_NOT_TERMINAL',
        message: 'Cancel the job before you delete it.',
      });
    if (!(await deleteTerminalJob(database, jobId))) {
      const dependants = await countDependants(database, jobId);
      if (dependants === 0) return notFoundProblem();
      const message = `Its files are used by ${dependants} living ${dependants === 1 ? 'job' : 'jobs'}.`;
      return refusal({ type: 'ConflictProblem', code: 'JOB_HAS_DEPENDANTS', message });
    }
    await pass?.('after-delete-commit');
    const { ownerId, lastSequence, status } = job;
    wakeUps.jobWoken({ jobId, ownerId, lastSequence, from: status, to: status, deleted: true });
    onRemoved();
    return success(jobId);
  };
}
