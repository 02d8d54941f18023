import { effectOfReport } from '@gjm/core/job/report.js';
import type { JobTransition } from '@gjm/core/job/transition.js';
import type { ReportAnswer, ReportItem, ReportRequest } from '@gjm/core/wire/worker-api.js';
import { cleanJson } from '@gjm/core/text/clean.js';
import type { ArtifactFacts } from '@gjm/core/wire/events.js';
import type { Database } from '../persistence/database.js';
import { readReportedCheckpoints } from '../persistence/transitions/checkpoints.js';
import {
  readJobFactsByAttempt,
  type LivingAttempt,
  type LoadedJob,
} from '../persistence/transitions/read-job-facts.js';
import type { JobChanger, JobDecision } from './change-job.js';
import { hashToken } from './claim-attempt.js';
import type { StaleWrites } from './stale-writes.js';

export type RecordReport = (report: ReportRequest) => Promise<ReportAnswer>;

/** The living attempt when the token is its own, else null. */
export function attemptOfToken(job: LoadedJob, workerId: string, tokenHash: string): LivingAttempt | null {
  const { attempt } = job;
  const isOwn =
    attempt?.state === 'RUNNING' && attempt.workerId === workerId && attempt.tokenHash === tokenHash;
  return isOwn ? attempt : null;
}

/** What the checkpoints are that these items name. Most reports name none and cost nothing here. */
export async function checkpointsOf(
  database: Database,
  attemptId: string,
  items: readonly ReportItem[],
): Promise<ReadonlyMap<string, ArtifactFacts>> {
  const ids = items.flatMap((item) => (item.type === 'checkpoint' ? [item.artifactId] : []));
  return ids.length > 0 ? readReportedCheckpoints(database, attemptId, ids) : new Map();
}

/** What is the same in every transition that a worker's report causes. */
export function reportTransition(
  job: LoadedJob,
  attempt: LivingAttempt,
  request: ReportRequest,
  checkpoints: ReadonlyMap<string, ArtifactFacts>,
  logLimit: number,
) {
  const { logBytes, logCut } = job;
  const state = { attemptNumber: attempt.number, ...attempt, logBytes, logCut, checkpoints };
  const effect = effectOfReport(cleanJson(request.items), state, logLimit);
  const transition: JobTransition = {
    jobId: job.id,
    ownerId: job.ownerId,
    expect: { status: job.status, attemptId: attempt.id, cancelRequested: job.cancelRequested },
    attempt: {
      expectState: 'RUNNING',
      tokenHash: hashToken(request.token),
      report: { after: attempt.reportedNumber, last: effect.lastNumber },
    },
    to: job.status,
    reason: null,
    failure: null,
    progress: effect.progress,
    log: effect.log,
    slots: 'keep',
    events: effect.events,
  };
  return { transition, lastNumber: effect.lastNumber };
}

/** Stores what a worker reports of a living attempt, each number once. A stale token changes nothing and makes the worker end that child. */
export function createRecordReport(
  database: Database,
  changer: JobChanger,
  stale: StaleWrites,
  logLimit: number,
): RecordReport {
  return async (report) => {
    const tokenHash = hashToken(report.token);
    const checkpoints = await checkpointsOf(database, report.attemptId, report.items);
    const acknowledged = await changer.change<number | null>(
      () => readJobFactsByAttempt(database, report.attemptId),
      (job): JobDecision<number | null> => {
        const attempt = attemptOfToken(job, report.workerId, tokenHash);
        if (!attempt) return { answer: null };
        const { transition, lastNumber } = reportTransition(job, attempt, report, checkpoints, logLimit);
        return lastNumber === attempt.reportedNumber
          ? { answer: lastNumber }
          : { apply: transition, answer: lastNumber };
      },
    );
    if (acknowledged === null) {
      stale.refused++;
      return { accepted: false };
    }
    return { accepted: true, acknowledged };
  };
}
