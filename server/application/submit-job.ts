import { createHash } from 'node:crypto';
import type { Viewer } from '@gjm/core/access/policy.js';
import { defaultTimeoutSeconds } from '@gjm/core/job/spec.js';
import { planJob, type Plan } from '@gjm/core/plan/plan.js';
import type { Policy } from '@gjm/core/policy/policy.js';
import { refusal, success, type Result } from '@gjm/core/problem.js';
import { canonicalJson } from '@gjm/core/text/canonical-json.js';
import { cleanJson } from '@gjm/core/text/clean.js';
import type { Kind } from '@gjm/core/workload/define.js';
import type { NewEvent } from '@gjm/core/wire/events.js';
import type { Database } from '../persistence/database.js';
import type { JobRepository } from '../persistence/job.repository.js';
import { insertJob, type NewJob } from '../persistence/transitions/insert-job.js';
import { checkSubmit } from './check-submit.js';
import type { PassPoint } from './fault.js';
import type { JobInputs } from './job-inputs.js';
import { newId } from './new-id.js';
import type { JobRecord } from './records.js';
import type { WakeUps } from './wake-ups.js';

/** A submit as it arrives: GraphQL has checked scalars, nothing else. */
export type SubmitInput = Record<string, unknown> & { clientRequestId?: string | null | undefined };

/** `traceId`: the W3C trace id of the request, which goes with the job to its runner. */
export type SubmitJob = (viewer: Viewer, input: SubmitInput, traceId: string) => Promise<Result<JobRecord>>;

interface SubmitDependencies {
  database: Database;
  jobs: JobRepository;
  inputs: JobInputs;
  policy: Policy;
  enabledKind: (name: string, viewer: Viewer) => Kind | undefined;
  wakeUps: WakeUps;
  pass: PassPoint;
}

/**
 * Takes a job in: validated, planned, and stored with its first events by one statement. The same owner and request id with equal content
 * gives the first job again, before anything is validated; with other content a refusal.
 */
export function createSubmitJob(dependencies: SubmitDependencies): SubmitJob {
  const { database, jobs, inputs, policy, enabledKind, wakeUps, pass } = dependencies;

  const earlier = async (
    viewer: Viewer,
    requestId: string,
    hash: string,
  ): Promise<Result<JobRecord> | null> => {
    const job = await jobs.byClientRequestId(viewer.id, requestId);
    if (!job) return null;
    if (job.requestHash === hash) return success(job);
    const message = 'This client request id was used for another submit.';
    return refusal({ type: 'ConflictProblem', code: 'REQUEST_ID_REUSED', message });
  };

  return async function submitJob(viewer, given, traceId): Promise<Result<JobRecord>> {
    const input = cleanJson(given);
    const requestId = input.clientRequestId ?? null;
    const kindOf = (name: string) => enabledKind(name, viewer);
    const requestHash = requestId === null ? null : hashOf(input, kindOf(String(input['kind'])));
    if (requestId !== null && requestHash !== null) {
      const known = await earlier(viewer, requestId, requestHash);
      if (known) return known;
    }
    const checked = await checkSubmit(viewer, input, kindOf, inputs);
    if (!checked.ok) return checked;
    const { spec, kind, files } = checked.value;

    const id = newId('job');
    const plan = planJob({ kind, tier: spec.tier ?? null }, policy);
    const events = firstEvents(plan);
    const job: NewJob = {
      id,
      ownerId: viewer.id,
      spec,
      name: spec.name || kind.name,
      timeoutSeconds: spec.timeoutSeconds ?? defaultTimeoutSeconds,
      requestHash,
      traceId,
      plan,
      inputs: files,
      events,
    };
    const createdAt = await insertJob(database, job);
    // An equal submit came first, or a file went away since it was looked up: look again from the start.
    if (!createdAt) return submitJob(viewer, input, traceId);
    await pass?.('after-submit-commit');
    wakeUps.jobWoken({
      jobId: id,
      ownerId: viewer.id,
      lastSequence: events.length,
      from: 'QUEUED',
      to: 'QUEUED',
    });
    wakeUps.placeable();
    return success(recordOf(job, createdAt));
  };
}

/** The row as it was stored, without reading it back. */
const recordOf = (
  { id, ownerId, name, spec, timeoutSeconds, plan, events, requestHash }: NewJob,
  createdAt: Date,
): JobRecord => ({
  id,
  ownerId,
  kind: spec.kind,
  name,
  params: spec.params,
  labels: spec.labels,
  priority: spec.priority,
  status: 'QUEUED',
  statusReason: null,
  failure: null,
  progress: null,
  tier: plan.tier,
  engine: null,
  createdAt,
  startedAt: null,
  finishedAt: null,
  cancelRequestedAt: null,
  notBefore: null,
  requestedTier: spec.tier ?? null,
  deviceCount: spec.devices,
  maxAttempts: spec.maxAttempts,
  timeoutSeconds,
  plan,
  deviceSelector: spec.deviceSelector,
  attemptCount: 0,
  currentAttemptId: null,
  lastSequence: events.length,
  requestHash,
});

const withoutNulls = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** What a request id stands for: the input with defaults filled (null = default), without the id itself. Params by their kind, if they fit. */
function hashOf({ clientRequestId: _, ...input }: SubmitInput, kind: Kind | undefined): string {
  const params = withoutNulls((input['params'] ?? {}) as Record<string, unknown>);
  const coerced = kind?.params.safeParse(params);
  const defaults = {
    priority: 50,
    maxAttempts: 3,
    devices: 1,
    labels: {},
    deviceSelector: {},
    dependsOn: [],
  };
  const meaning = { ...defaults, ...withoutNulls(input), params: coerced?.success ? coerced.data : params };
  return createHash('sha256').update(canonicalJson(meaning)).digest('hex');
}

/** Numbers 1 and 2 of every job: it is queued, and how it was planned. */
function firstEvents(plan: Plan): NewEvent[] {
  return [
    { type: 'status', attempt: null, data: { status: 'QUEUED', reason: null, failure: null } },
    {
      type: 'decision',
      attempt: null,
      data: {
        id: newId('decision'),
        stage: 'planner',
        attempt: null,
        summary: plan.why,
        policyVersion: plan.policyVersion,
        data: {
          tier: plan.tier,
          engines: plan.engines,
          memoryBytes: plan.memoryBytes,
          validators: plan.validators,
        },
      },
    },
  ];
}
