import { createHash } from 'node:crypto';
import { claimTransition } from '@gjm/core/job/transition.js';
import { settleSlackMs, type Timing } from '@gjm/core/timing.js';
import type { ClaimAnswer } from '@gjm/core/wire/worker-api.js';
import { fileFieldsOf } from '@gjm/core/workload/define.js';
import { kindByName } from '@gjm/core/workload/kinds.js';
import type { Database } from '../persistence/database.js';
import { readCheckpoints } from '../persistence/transitions/checkpoints.js';
import { readAttemptDevices } from '../persistence/transitions/read-attempt-devices.js';
import { readInputs } from '../persistence/transitions/read-inputs.js';
import { readJobFactsByAttempt, type LoadedJob } from '../persistence/transitions/read-job-facts.js';
import type { JobChanger, JobDecision } from './change-job.js';
import type { PassPoint } from './fault.js';

export type ClaimAttempt = (workerId: string, attemptId: string, claimKey: string) => Promise<ClaimAnswer>;

interface ClaimDependencies {
  database: Database;
  changer: JobChanger;
  timing: Timing;
  pass: PassPoint;
}

const hasFiles = (name: string): boolean => {
  const kind = kindByName(name);
  return !kind || fileFieldsOf(kind).length > 0;
};

/** The hash under which an attempt's token is stored, hex. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * A worker takes a dispatched attempt. The key it made becomes the attempt's token; the same key again gets the same answer, another one is
 * refused. A message is only a hint: this decides.
 */
export function createClaimAttempt({ database, changer, timing, pass }: ClaimDependencies): ClaimAttempt {
  const { leaseMs, graceMs } = timing;
  return async (workerId, attemptId, claimKey) => {
    const tokenHash = hashToken(claimKey);
    const job = await changer.change<LoadedJob | null>(
      () => readJobFactsByAttempt(database, attemptId),
      (loaded): JobDecision<LoadedJob | null> => {
        const { attempt } = loaded;
        if (attempt?.workerId !== workerId) return { answer: null };
        if (attempt.state === 'RUNNING') return { answer: attempt.tokenHash === tokenHash ? loaded : null };
        const runMs = loaded.timeoutSeconds * 1_000 + graceMs + settleSlackMs;
        const apply = claimTransition(loaded, { tokenHash, leaseMs, runMs });
        return apply ? { apply, answer: loaded } : { answer: null };
      },
    );
    if (!job?.attempt)
      return { granted: false, reason: 'The attempt is over, or it is not for this worker.' };
    await pass?.('after-claim-commit');

    return {
      granted: true,
      jobId: job.id,
      attemptNumber: job.attempt.number,
      ownerId: job.ownerId,
      kind: job.kind,
      params: job.params,
      engine: job.attempt.engine,
      tier: job.attempt.tier,
      devices: job.deviceCount > 1 ? await readAttemptDevices(database, attemptId) : [],
      inputs: hasFiles(job.kind) ? await readInputs(database, job.id) : [],
      checkpoints: kindByName(job.kind)?.keepsCheckpoints ? await readCheckpoints(database, job.id) : [],
      runMs: job.timeoutSeconds * 1_000,
      leaseMs,
      graceMs,
    };
  };
}
