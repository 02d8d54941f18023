import { evaluate, type Verdict } from '@gjm/core/job/evaluate.js';
import { failureOf } from '@gjm/core/job/failure.js';
import { endTransition, type AttemptEnding, type JobTransition } from '@gjm/core/job/transition.js';
import { cleanText } from '@gjm/core/text/clean.js';
import type { NewEvent } from '@gjm/core/wire/events.js';
import type { FinishRequest } from '@gjm/core/wire/worker-api.js';
import { kindByName } from '@gjm/core/workload/kinds.js';
import type { Policy } from '@gjm/core/policy/policy.js';
import type { Database } from '../persistence/database.js';
import {
  readAttemptArtifacts,
  type ResultArtifact,
} from '../persistence/transitions/read-attempt-artifacts.js';
import { keepBenchmark, learnNeed } from '../persistence/transitions/learn-from-attempt.js';
import { readEndedAttempt } from '../persistence/transitions/read-ended-attempt.js';
import {
  readJobFactsByAttempt,
  type LivingAttempt,
  type LoadedJob,
} from '../persistence/transitions/read-job-facts.js';
import type { JobChanger, JobDecision } from './change-job.js';
import { hashToken } from './claim-attempt.js';
import type { PassPoint } from './fault.js';
import { newId } from './new-id.js';
import { attemptOfToken, checkpointsOf, reportTransition } from './record-report.js';
import type { StaleWrites } from './stale-writes.js';

export type FinishAttempt = (request: FinishRequest) => Promise<boolean>;

interface FinishDependencies {
  database: Database;
  changer: JobChanger;
  stale: StaleWrites;
  policy: Policy;
  logLimit: number;
  pass: PassPoint;
}

/**
 * A worker says how its attempt ended, with its last reports. Success is judged here before it counts. True once committed, also when the
 * same end was committed before; false for a stale token.
 */
export function createFinishAttempt(dependencies: FinishDependencies): FinishAttempt {
  const { database, changer, stale, policy, logLimit, pass } = dependencies;
  return async (request) => {
    const tokenHash = hashToken(request.token);
    const artifacts =
      request.artifacts.length > 0 ? await readAttemptArtifacts(database, request.attemptId) : [];
    const checkpoints = await checkpointsOf(database, request.attemptId, request.items);
    const finished = await changer.change<Finished | null>(
      () => readJobFactsByAttempt(database, request.attemptId),
      (job): JobDecision<Finished | null> => {
        const attempt = attemptOfToken(job, request.workerId, tokenHash);
        if (!attempt) return { answer: null };
        const { transition: report } = reportTransition(job, attempt, request, checkpoints, logLimit);
        const verdict = judge(request, job, attempt, artifacts);
        const end = endOf(request, verdict, tokenHash);
        const events = [...report.events, ...closingEvents(attempt, verdict, artifacts, policy)];
        const ended = endTransition(job, end, events, Math.random());
        if (!ended) return { answer: null };
        const answer = { kind: job.kind, isAccepted: verdict?.accept ?? false };
        return { apply: merge(report, ended, verdict, request), answer };
      },
    );
    if (finished) {
      await pass?.('after-finish-commit');
      if (finished.isAccepted) await learn(database, finished.kind, request);
      return true;
    }
    if (await readEndedAttempt(database, request.attemptId, tokenHash)) return true;
    stale.refused++;
    return false;
  };
}

interface Finished {
  kind: string;
  /** It succeeded, and so the verdict found. */
  isAccepted: boolean;
}

/**
 * What a success tells about its kind and its devices. An estimate may have had another process as its cause; and what a user brings along,
 * a program or a model, says nothing of the next user's.
 */
async function learn(database: Database, name: string, { attemptId, usage }: FinishRequest): Promise<void> {
  const kind = kindByName(name);
  const isKindsOwn = !kind?.runsPrograms && !kind?.loadsUserModels;
  if (usage?.peakMemoryBytes && !usage.isEstimate && isKindsOwn)
    await learnNeed(database, attemptId, usage.peakMemoryBytes);
  if (name === 'device.benchmark') await keepBenchmark(database, attemptId);
}

/** The verdict on a claimed success; null when the worker claims none. */
function judge(
  request: FinishRequest,
  job: LoadedJob,
  attempt: LivingAttempt,
  artifacts: ResultArtifact[],
): Verdict | null {
  if (request.outcome !== 'SUCCEEDED') return null;
  const kind = kindByName(job.kind);
  if (!kind) throw new Error(`Job ${job.id} has the unknown kind ${job.kind}.`);
  const stored = artifacts
    .filter((artifact) => request.artifacts.includes(artifact.id))
    .map(({ name }) => name);
  const facts = {
    chosenEngine: attempt.engine,
    usedEngine: request.engine,
    stored,
    named: request.artifacts.length,
  };
  return evaluate(facts, kind);
}

function endOf(request: FinishRequest, verdict: Verdict | null, tokenHash: string): AttemptEnding {
  const slots = request.deviceClean ? 'free' : 'hold';
  const reason = request.reason === null ? null : cleanText(request.reason, 500);
  const { usage, containment } = request;
  const taken = { usage, containment: containment === null ? null : cleanText(containment, 500) };
  if (verdict && !verdict.accept)
    return { outcome: 'FAILED', failure: verdict.failure, reason: null, slots, taken, tokenHash };
  if (request.outcome !== 'FAILED')
    return { outcome: request.outcome, failure: null, reason, slots, taken, tokenHash };
  const { code, message } = request.failure ?? {
    code: 'WORKLOAD_ERROR' as const,
    message: 'The workload failed.',
  };
  return {
    outcome: 'FAILED',
    failure: failureOf(code, cleanText(message, 4_000)),
    reason,
    slots,
    taken,
    tokenHash,
  };
}

/** Artifacts of an accepted result, then the verdict: both come before the terminal event. */
function closingEvents(
  attempt: LivingAttempt,
  verdict: Verdict | null,
  artifacts: ResultArtifact[],
  policy: Policy,
): NewEvent[] {
  if (!verdict) return [];
  const shown = verdict.accept ? artifacts : [];
  const summary = verdict.accept ? 'Accepted: all checks passed.' : `Refused: ${verdict.failure.message}`;
  return [
    ...shown.map(({ createdAt, ...facts }): NewEvent => ({
      type: 'artifact',
      attempt: attempt.number,
      data: { ...facts, role: 'RESULT', attempt: attempt.number, createdAt: createdAt.toISOString() },
    })),
    {
      type: 'decision',
      attempt: attempt.number,
      data: {
        id: newId('decision'),
        stage: 'evaluator',
        attempt: attempt.number,
        summary,
        policyVersion: policy.version,
        data: { accept: verdict.accept, checks: verdict.checks },
      },
    },
  ];
}

/** The end of the attempt together with the reports that rode on it: one transition. */
function merge(
  report: JobTransition,
  ended: JobTransition,
  verdict: Verdict | null,
  request: FinishRequest,
): JobTransition {
  return {
    ...ended,
    attempt: { ...ended.attempt!, report: report.attempt?.report },
    progress: report.progress,
    log: report.log,
    acceptArtifacts: verdict?.accept ? request.artifacts : [],
  };
}
