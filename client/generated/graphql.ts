/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** RESULT of the accepted attempt is what Job.artifacts lists. CHECKPOINT and LOG hang on their attempt and are kept for a while. */
export type ArtifactRole =
  | 'CHECKPOINT'
  | 'LOG'
  | 'RESULT';

/** RELEASED and VOID do not count against maxAttempts. */
export type AttemptOutcome =
  | 'CANCELLED'
  | 'FAILED'
  | 'LOST'
  | 'RELEASED'
  | 'SUCCEEDED'
  | 'VOID';

export type CancelJobInput = {
  id: string | number;
  reason?: string | null | undefined;
};

export type ChangePasswordInput = {
  /** Null only for an account that has no password yet. */
  current?: string | null | undefined;
  /** 8 to 200 characters. */
  new: string;
  returnRefreshToken?: boolean | null | undefined;
};

export type CreateInviteInput = {
  /** Life of the invite, 1 to 720. */
  hours?: number | null | undefined;
  role?: Role | null | undefined;
};

export type CreateUploadInput = {
  /** What the size will be. */
  bytes?: number | string | null | undefined;
  mediaType?: string | null | undefined;
  name: string;
  /** What the digest will be, hexadecimal. */
  sha256?: string | null | undefined;
};

export type CreateWorkerTokenInput = {
  name: string;
};

export type DeleteJobInput = {
  id: string | number;
};

/** Only a device that is OK is offered. */
export type DeviceHealth =
  | 'BUSY_ELSEWHERE'
  | 'DIRTY'
  | 'DRAINING'
  | 'LOST'
  | 'NOT_ANSWERING'
  | 'OK'
  | 'UNKNOWN';

export type DeviceKind =
  | 'CPU'
  | 'GPU'
  | 'MIG'
  | 'SOFTWARE';

export type Direction =
  | 'ASC'
  | 'DESC';

export type DrainInput = {
  /** When it ends by itself, in seconds from now, a year at most; null: by undrain only. */
  forSeconds?: number | null | undefined;
  /** A device's id, or a worker's for all of its devices. */
  id: string | number;
  /** Shown to everybody. */
  reason?: string | null | undefined;
};

export type FailureOrigin =
  | 'DEVICE'
  | 'PLATFORM'
  | 'USER'
  | 'WORKLOAD';

export type JobFilter = {
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
  kind?: Array<string> | null | undefined;
  /** Every pair must be among the labels. */
  labels?: Record<string, unknown> | null | undefined;
  owner?: string | number | null | undefined;
  status?: Array<JobStatus> | null | undefined;
  /** Part of the name, or an id. */
  text?: string | null | undefined;
};

/** CREATED_AT DESC when not given. */
export type JobOrder = {
  direction: Direction;
  field: JobOrderField;
};

export type JobOrderField =
  | 'CREATED_AT'
  | 'FINISHED_AT'
  | 'PRIORITY';

export type JobStatus =
  | 'CANCELLED'
  | 'FAILED'
  | 'QUEUED'
  | 'RUNNING'
  | 'SUCCEEDED';

export type LogStream =
  | 'STDERR'
  | 'STDOUT'
  | 'SYSTEM';

export type LoginInput = {
  email: string;
  password: string;
  returnRefreshToken?: boolean | null | undefined;
};

export type ProblemCode =
  | 'BAD_CREDENTIALS'
  | 'EMAIL_TAKEN'
  | 'FORBIDDEN'
  | 'JOB_HAS_DEPENDANTS'
  | 'JOB_NOT_TERMINAL'
  | 'JOB_TERMINAL'
  | 'LAST_ADMIN'
  | 'NOT_FOUND'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMITED'
  | 'REQUEST_ID_REUSED'
  | 'UNAUTHENTICATED'
  | 'UNKNOWN_KIND'
  | 'UPLOAD_INCOMPLETE'
  | 'VALIDATION';

export type RegisterInput = {
  email: string;
  /** Needed where registration is not open. */
  invite?: string | null | undefined;
  name?: string | null | undefined;
  /** 8 to 200 characters. */
  password: string;
  returnRefreshToken?: boolean | null | undefined;
};

/** OPEN: anybody. INVITE: with an invite. CLOSED: only the first account, with an invite. */
export type RegistrationMode =
  | 'CLOSED'
  | 'INVITE'
  | 'OPEN';

export type Role =
  | 'ADMIN'
  | 'USER';

export type SubmitJobInput = {
  /** Equal submits with one id are one job. */
  clientRequestId?: string | null | undefined;
  dependsOn?: Array<string | number> | null | undefined;
  /** { labels?, name?, kind?: "gpu" | "cpu", worker?, minMemoryBytes? } */
  deviceSelector?: Record<string, unknown> | null | undefined;
  devices?: number | null | undefined;
  kind: string;
  /** String to string, at most 32 keys. */
  labels?: Record<string, unknown> | null | undefined;
  /** Attempts that ended by a retryable cause. */
  maxAttempts?: number | null | undefined;
  name?: string | null | undefined;
  params: Record<string, unknown>;
  /** 0 to 100; higher goes first. */
  priority?: number | null | undefined;
  tier?: string | null | undefined;
  /** Per attempt; a day when not given. */
  timeoutSeconds?: number | null | undefined;
};

/** What is null stays as it is. */
export type UpdateUserInput = {
  disabled?: boolean | null | undefined;
  id: string | number;
  role?: Role | null | undefined;
};

type EventFields_JobArtifactEvent_Fragment = { __typename: 'JobArtifactEvent', jobId: string, sequence: number, at: string, attempt: number | null, artifact: { id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string } };

type EventFields_JobCancelRequestedEvent_Fragment = { __typename: 'JobCancelRequestedEvent', reason: string | null, jobId: string, sequence: number, at: string, attempt: number | null, by: { id: string, name: string } };

type EventFields_JobDecisionEvent_Fragment = { __typename: 'JobDecisionEvent', jobId: string, sequence: number, at: string, attempt: number | null, decision: { id: string, stage: string, at: string, attempt: number | null, summary: string, policyVersion: string | null, data: Record<string, unknown> } };

type EventFields_JobLogEvent_Fragment = { __typename: 'JobLogEvent', stream: LogStream, text: string, firstLine: number, jobId: string, sequence: number, at: string, attempt: number | null };

type EventFields_JobMetricEvent_Fragment = { __typename: 'JobMetricEvent', name: string, step: number | null, value: number | null, special: string | null, jobId: string, sequence: number, at: string, attempt: number | null };

type EventFields_JobProgressEvent_Fragment = { __typename: 'JobProgressEvent', jobId: string, sequence: number, at: string, attempt: number | null, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } };

type EventFields_JobStatusEvent_Fragment = { __typename: 'JobStatusEvent', status: JobStatus, reason: string | null, jobId: string, sequence: number, at: string, attempt: number | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null };

export type EventFieldsFragment =
  | EventFields_JobArtifactEvent_Fragment
  | EventFields_JobCancelRequestedEvent_Fragment
  | EventFields_JobDecisionEvent_Fragment
  | EventFields_JobLogEvent_Fragment
  | EventFields_JobMetricEvent_Fragment
  | EventFields_JobProgressEvent_Fragment
  | EventFields_JobStatusEvent_Fragment
;

export type JobEventPageQueryVariables = Exact<{
  jobId: string | number;
  after?: number | null | undefined;
}>;


export type JobEventPageQuery = { job: { id: string, events: { hasMore: boolean, lastSequence: number, nodes: Array<
        | { __typename: 'JobArtifactEvent', jobId: string, sequence: number, at: string, attempt: number | null, artifact: { id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string } }
        | { __typename: 'JobCancelRequestedEvent', reason: string | null, jobId: string, sequence: number, at: string, attempt: number | null, by: { id: string, name: string } }
        | { __typename: 'JobDecisionEvent', jobId: string, sequence: number, at: string, attempt: number | null, decision: { id: string, stage: string, at: string, attempt: number | null, summary: string, policyVersion: string | null, data: Record<string, unknown> } }
        | { __typename: 'JobLogEvent', stream: LogStream, text: string, firstLine: number, jobId: string, sequence: number, at: string, attempt: number | null }
        | { __typename: 'JobMetricEvent', name: string, step: number | null, value: number | null, special: string | null, jobId: string, sequence: number, at: string, attempt: number | null }
        | { __typename: 'JobProgressEvent', jobId: string, sequence: number, at: string, attempt: number | null, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } }
        | { __typename: 'JobStatusEvent', status: JobStatus, reason: string | null, jobId: string, sequence: number, at: string, attempt: number | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null }
      > } } | null };

export type JobEventsSubscriptionVariables = Exact<{
  jobId: string | number;
  after?: number | null | undefined;
}>;


export type JobEventsSubscription = { jobEvents:
    | { __typename: 'JobArtifactEvent', jobId: string, sequence: number, at: string, attempt: number | null, artifact: { id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string } }
    | { __typename: 'JobCancelRequestedEvent', reason: string | null, jobId: string, sequence: number, at: string, attempt: number | null, by: { id: string, name: string } }
    | { __typename: 'JobDecisionEvent', jobId: string, sequence: number, at: string, attempt: number | null, decision: { id: string, stage: string, at: string, attempt: number | null, summary: string, policyVersion: string | null, data: Record<string, unknown> } }
    | { __typename: 'JobLogEvent', stream: LogStream, text: string, firstLine: number, jobId: string, sequence: number, at: string, attempt: number | null }
    | { __typename: 'JobMetricEvent', name: string, step: number | null, value: number | null, special: string | null, jobId: string, sequence: number, at: string, attempt: number | null }
    | { __typename: 'JobProgressEvent', jobId: string, sequence: number, at: string, attempt: number | null, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } }
    | { __typename: 'JobStatusEvent', status: JobStatus, reason: string | null, jobId: string, sequence: number, at: string, attempt: number | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null }
   };

export type CreateUploadMutationVariables = Exact<{
  input: CreateUploadInput;
}>;


export type CreateUploadMutation = { createUpload:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'CreateUploadSuccess', upload: { id: string, name: string, url: string, bytes: number | string | null, sha256: string | null, complete: boolean, expiresAt: string } }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'QuotaProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type UploadQueryVariables = Exact<{
  id: string | number;
}>;


export type UploadQuery = { node:
    | { __typename: 'Artifact' }
    | { __typename: 'Attempt' }
    | { __typename: 'Device' }
    | { __typename: 'Job' }
    | { __typename: 'Upload', id: string, name: string, url: string, bytes: number | string | null, sha256: string | null, complete: boolean, expiresAt: string }
    | { __typename: 'Viewer' }
    | { __typename: 'Worker' }
   | null };

export type ArtifactQueryVariables = Exact<{
  id: string | number;
}>;


export type ArtifactQuery = { node:
    | { __typename: 'Artifact', id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string }
    | { __typename: 'Attempt' }
    | { __typename: 'Device' }
    | { __typename: 'Job' }
    | { __typename: 'Upload' }
    | { __typename: 'Viewer' }
    | { __typename: 'Worker' }
   | null };

export type UploadFieldsFragment = { id: string, name: string, url: string, bytes: number | string | null, sha256: string | null, complete: boolean, expiresAt: string };

export type DevicesQueryVariables = Exact<{ [key: string]: never; }>;


export type DevicesQuery = { devices: Array<{ id: string, uid: string, name: string, kind: DeviceKind, engines: Array<string>, health: DeviceHealth, healthReason: string | null, memoryBytes: number | string | null, memoryFreeBytes: number | string | null, benchmark: Record<string, unknown> | null, worker: { id: string, name: string, online: boolean }, engineAudit: Array<{ engine: string, code: string | null, message: string }>, telemetry: { utilisation: number | null, memoryUsedBytes: number | string | null, temperatureCelsius: number | null, powerWatts: number | null } | null, drain: { since: string, until: string | null, reason: string | null } | null, slots: Array<{ index: number, holderName: string | null, busySince: string | null, etaSeconds: number | null }> }> };

export type WorkersQueryVariables = Exact<{ [key: string]: never; }>;


export type WorkersQuery = { workers: Array<{ id: string, name: string, version: string, online: boolean, lastSeenAt: string, engineAudit: Array<{ engine: string, offered: boolean, code: string | null, message: string, version: string | null }>, drain: { since: string, until: string | null, reason: string | null } | null }> };

export type FleetQueryVariables = Exact<{ [key: string]: never; }>;


export type FleetQuery = { devices: Array<{ id: string, uid: string, name: string, kind: DeviceKind, engines: Array<string>, health: DeviceHealth, healthReason: string | null, memoryBytes: number | string | null, memoryFreeBytes: number | string | null, benchmark: Record<string, unknown> | null, worker: { id: string, name: string, online: boolean }, engineAudit: Array<{ engine: string, code: string | null, message: string }>, telemetry: { utilisation: number | null, memoryUsedBytes: number | string | null, temperatureCelsius: number | null, powerWatts: number | null } | null, drain: { since: string, until: string | null, reason: string | null } | null, slots: Array<{ index: number, holderName: string | null, busySince: string | null, etaSeconds: number | null }> }>, workers: Array<{ id: string, name: string, version: string, online: boolean, lastSeenAt: string, engineAudit: Array<{ engine: string, offered: boolean, code: string | null, message: string, version: string | null }>, drain: { since: string, until: string | null, reason: string | null } | null }>, jobs: { nodes: Array<{ id: string, name: string, kind: string, startedAt: string | null, owner: { id: string, name: string }, devices: Array<{ id: string }> }> } };

export type WorkerFieldsFragment = { id: string, name: string, version: string, online: boolean, lastSeenAt: string, engineAudit: Array<{ engine: string, offered: boolean, code: string | null, message: string, version: string | null }>, drain: { since: string, until: string | null, reason: string | null } | null };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { health: { ok: boolean, version: string, checks: Array<{ name: string, ok: boolean, message: string | null }> } };

export type CreateWorkerTokenMutationVariables = Exact<{
  input: CreateWorkerTokenInput;
}>;


export type CreateWorkerTokenMutation = { createWorkerToken:
    | { __typename: 'CreateWorkerTokenSuccess', token: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type DevicesChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DevicesChangedSubscription = { devicesChanged: { id: string, uid: string, name: string, kind: DeviceKind, engines: Array<string>, health: DeviceHealth, healthReason: string | null, memoryBytes: number | string | null, memoryFreeBytes: number | string | null, benchmark: Record<string, unknown> | null, worker: { id: string, name: string, online: boolean }, engineAudit: Array<{ engine: string, code: string | null, message: string }>, telemetry: { utilisation: number | null, memoryUsedBytes: number | string | null, temperatureCelsius: number | null, powerWatts: number | null } | null, drain: { since: string, until: string | null, reason: string | null } | null, slots: Array<{ index: number, holderName: string | null, busySince: string | null, etaSeconds: number | null }> } };

export type DrainMutationVariables = Exact<{
  input: DrainInput;
}>;


export type DrainMutation = { drain:
    | { __typename: 'DrainSuccess', devices: Array<{ id: string, uid: string, name: string, kind: DeviceKind, engines: Array<string>, health: DeviceHealth, healthReason: string | null, memoryBytes: number | string | null, memoryFreeBytes: number | string | null, benchmark: Record<string, unknown> | null, worker: { id: string, name: string, online: boolean }, engineAudit: Array<{ engine: string, code: string | null, message: string }>, telemetry: { utilisation: number | null, memoryUsedBytes: number | string | null, temperatureCelsius: number | null, powerWatts: number | null } | null, drain: { since: string, until: string | null, reason: string | null } | null, slots: Array<{ index: number, holderName: string | null, busySince: string | null, etaSeconds: number | null }> }> }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type UndrainMutationVariables = Exact<{
  id: string | number;
}>;


export type UndrainMutation = { undrain:
    | { __typename: 'DrainSuccess', devices: Array<{ id: string, uid: string, name: string, kind: DeviceKind, engines: Array<string>, health: DeviceHealth, healthReason: string | null, memoryBytes: number | string | null, memoryFreeBytes: number | string | null, benchmark: Record<string, unknown> | null, worker: { id: string, name: string, online: boolean }, engineAudit: Array<{ engine: string, code: string | null, message: string }>, telemetry: { utilisation: number | null, memoryUsedBytes: number | string | null, temperatureCelsius: number | null, powerWatts: number | null } | null, drain: { since: string, until: string | null, reason: string | null } | null, slots: Array<{ index: number, holderName: string | null, busySince: string | null, etaSeconds: number | null }> }> }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type FailureFragment = { code: string, origin: FailureOrigin, retryable: boolean, message: string };

export type ProgressFragment = { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null };

export type ArtifactFieldsFragment = { id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string };

export type DecisionFieldsFragment = { id: string, stage: string, at: string, attempt: number | null, summary: string, policyVersion: string | null, data: Record<string, unknown> };

export type DeviceFieldsFragment = { id: string, uid: string, name: string, kind: DeviceKind, engines: Array<string>, health: DeviceHealth, healthReason: string | null, memoryBytes: number | string | null, memoryFreeBytes: number | string | null, benchmark: Record<string, unknown> | null, worker: { id: string, name: string, online: boolean }, engineAudit: Array<{ engine: string, code: string | null, message: string }>, telemetry: { utilisation: number | null, memoryUsedBytes: number | string | null, temperatureCelsius: number | null, powerWatts: number | null } | null, drain: { since: string, until: string | null, reason: string | null } | null, slots: Array<{ index: number, holderName: string | null, busySince: string | null, etaSeconds: number | null }> };

export type JobRowFragment = { id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string }> } | null, permissions: { canCancel: boolean, canDelete: boolean } };

export type JobDetailsFragment = { params: Record<string, unknown>, deviceSelector: Record<string, unknown>, timeoutSeconds: number, maxAttempts: number, requestedTier: string | null, deviceCount: number, id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string, devices: Array<{ id: string, name: string }> }> } | null, attempts: Array<{ id: string, number: number, outcome: AttemptOutcome | null, engine: string | null, tier: string | null, startedAt: string | null, finishedAt: string | null, containment: string | null, devices: Array<{ id: string, name: string }>, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, audit: { wantedEngine: string, usedEngine: string, skipped: Array<{ engine: string, code: string | null, message: string }> }, usage: { peakUtilisation: number | null, meanUtilisation: number | null, peakMemoryBytes: number | string | null, joules: number | null, gpuSeconds: number | null, isEstimate: boolean } | null, artifacts: Array<{ id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string }> }>, artifacts: Array<{ id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string }>, decisions: Array<{ id: string, stage: string, at: string, attempt: number | null, summary: string, policyVersion: string | null, data: Record<string, unknown> }>, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, permissions: { canCancel: boolean, canDelete: boolean } };

export type JobQueryVariables = Exact<{
  id: string | number;
}>;


export type JobQuery = { job: { params: Record<string, unknown>, deviceSelector: Record<string, unknown>, timeoutSeconds: number, maxAttempts: number, requestedTier: string | null, deviceCount: number, id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string, devices: Array<{ id: string, name: string }> }> } | null, attempts: Array<{ id: string, number: number, outcome: AttemptOutcome | null, engine: string | null, tier: string | null, startedAt: string | null, finishedAt: string | null, containment: string | null, devices: Array<{ id: string, name: string }>, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, audit: { wantedEngine: string, usedEngine: string, skipped: Array<{ engine: string, code: string | null, message: string }> }, usage: { peakUtilisation: number | null, meanUtilisation: number | null, peakMemoryBytes: number | string | null, joules: number | null, gpuSeconds: number | null, isEstimate: boolean } | null, artifacts: Array<{ id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string }> }>, artifacts: Array<{ id: string, name: string, mediaType: string, bytes: number | string, sha256: string, role: ArtifactRole, attempt: number, url: string, createdAt: string }>, decisions: Array<{ id: string, stage: string, at: string, attempt: number | null, summary: string, policyVersion: string | null, data: Record<string, unknown> }>, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, permissions: { canCancel: boolean, canDelete: boolean } } | null };

export type JobStandingQueryVariables = Exact<{
  id: string | number;
}>;


export type JobStandingQuery = { job: { id: string, status: JobStatus, lastSequence: number } | null };

export type JobsQueryVariables = Exact<{
  filter?: JobFilter | null | undefined;
  orderBy?: JobOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type JobsQuery = { jobs: { nodes: Array<{ id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string }> } | null, permissions: { canCancel: boolean, canDelete: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type JobKindsQueryVariables = Exact<{ [key: string]: never; }>;


export type JobKindsQuery = { jobKinds: Array<{ name: string, title: string, description: string, paramsSchema: Record<string, unknown>, tiers: Array<string>, enabled: boolean }> };

export type SubmitJobMutationVariables = Exact<{
  input: SubmitJobInput;
}>;


export type SubmitJobMutation = { submitJob:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'QuotaProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'SubmitJobSuccess', job: { id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string }> } | null, permissions: { canCancel: boolean, canDelete: boolean } } }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type CancelJobMutationVariables = Exact<{
  input: CancelJobInput;
}>;


export type CancelJobMutation = { cancelJob:
    | { __typename: 'CancelJobSuccess', job: { id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string }> } | null, permissions: { canCancel: boolean, canDelete: boolean } } }
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'QuotaProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type DeleteJobMutationVariables = Exact<{
  input: DeleteJobInput;
}>;


export type DeleteJobMutation = { deleteJob:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'DeleteJobSuccess', id: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'QuotaProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type JobsChangedSubscriptionVariables = Exact<{
  filter?: JobFilter | null | undefined;
}>;


export type JobsChangedSubscription = { jobsChanged: { deletedId: string | null, job: { id: string, kind: string, name: string, labels: Record<string, unknown>, status: JobStatus, statusReason: string | null, priority: number, createdAt: string, startedAt: string | null, finishedAt: string | null, cancelRequestedAt: string | null, tier: string | null, engine: string | null, lastSequence: number, owner: { id: string, name: string }, progress: { fraction: number | null, step: number | null, total: number | null, message: string | null, etaSeconds: number | null } | null, failure: { code: string, origin: FailureOrigin, retryable: boolean, message: string } | null, devices: Array<{ id: string, name: string }>, waiting: { position: number | null, etaSeconds: number | null, reasons: Array<{ code: string, message: string }> } | null, permissions: { canCancel: boolean, canDelete: boolean } } | null } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { id: string, email: string, name: string, role: Role } | null };

export type RegisterMutationVariables = Exact<{
  input: RegisterInput;
}>;


export type RegisterMutation = { register:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'SignInSuccess', accessToken: string, expiresAt: string, refreshToken: string | null, viewer: { id: string, email: string, name: string, role: Role } }
    | { __typename: 'UnauthenticatedProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type LoginMutationVariables = Exact<{
  input: LoginInput;
}>;


export type LoginMutation = { login:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'SignInSuccess', accessToken: string, expiresAt: string, refreshToken: string | null, viewer: { id: string, email: string, name: string, role: Role } }
    | { __typename: 'UnauthenticatedProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type RefreshMutationVariables = Exact<{
  token?: string | null | undefined;
}>;


export type RefreshMutation = { refresh:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'SignInSuccess', accessToken: string, expiresAt: string, refreshToken: string | null, viewer: { id: string, email: string, name: string, role: Role } }
    | { __typename: 'UnauthenticatedProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type RedeemSignInLinkMutationVariables = Exact<{
  token: string;
}>;


export type RedeemSignInLinkMutation = { redeemSignInLink:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'SignInSuccess', accessToken: string, expiresAt: string, refreshToken: string | null, viewer: { id: string, email: string, name: string, role: Role } }
    | { __typename: 'UnauthenticatedProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type LogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutMutation = { logout: boolean };

export type CreateInviteMutationVariables = Exact<{
  input: CreateInviteInput;
}>;


export type CreateInviteMutation = { createInvite:
    | { __typename: 'CreateInviteSuccess', invite: string, expiresAt: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type ViewerFieldsFragment = { id: string, email: string, name: string, role: Role };

type SignIn_ConflictProblem_Fragment = { __typename: 'ConflictProblem', code: ProblemCode, message: string };

type SignIn_ForbiddenProblem_Fragment = { __typename: 'ForbiddenProblem', code: ProblemCode, message: string };

type SignIn_RateLimitedProblem_Fragment = { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number };

type SignIn_SignInSuccess_Fragment = { __typename: 'SignInSuccess', accessToken: string, expiresAt: string, refreshToken: string | null, viewer: { id: string, email: string, name: string, role: Role } };

type SignIn_UnauthenticatedProblem_Fragment = { __typename: 'UnauthenticatedProblem', code: ProblemCode, message: string };

type SignIn_ValidationProblem_Fragment = { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> };

export type SignInFragment =
  | SignIn_ConflictProblem_Fragment
  | SignIn_ForbiddenProblem_Fragment
  | SignIn_RateLimitedProblem_Fragment
  | SignIn_SignInSuccess_Fragment
  | SignIn_UnauthenticatedProblem_Fragment
  | SignIn_ValidationProblem_Fragment
;

export type RegistrationQueryVariables = Exact<{ [key: string]: never; }>;


export type RegistrationQuery = { registration: { mode: RegistrationMode, isFirst: boolean } };

export type HasPasswordQueryVariables = Exact<{ [key: string]: never; }>;


export type HasPasswordQuery = { viewer: { id: string, hasPassword: boolean } | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'RateLimitedProblem', code: ProblemCode, message: string, retryAfterMs: number }
    | { __typename: 'SignInSuccess', accessToken: string, expiresAt: string, refreshToken: string | null, viewer: { id: string, email: string, name: string, role: Role } }
    | { __typename: 'UnauthenticatedProblem', code: ProblemCode, message: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type UserAccountFieldsFragment = { id: string, email: string, name: string, role: Role, disabled: boolean, hasPassword: boolean, createdAt: string, lastSeenAt: string | null };

export type UsersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  text?: string | null | undefined;
}>;


export type UsersQuery = { users: { nodes: Array<{ id: string, email: string, name: string, role: Role, disabled: boolean, hasPassword: boolean, createdAt: string, lastSeenAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UpdateUserMutationVariables = Exact<{
  input: UpdateUserInput;
}>;


export type UpdateUserMutation = { updateUser:
    | { __typename: 'ConflictProblem', code: ProblemCode, message: string }
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'UpdateUserSuccess', user: { id: string, email: string, name: string, role: Role, disabled: boolean, hasPassword: boolean, createdAt: string, lastSeenAt: string | null } }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export type ResetPasswordMutationVariables = Exact<{
  userId: string | number;
}>;


export type ResetPasswordMutation = { resetPassword:
    | { __typename: 'ForbiddenProblem', code: ProblemCode, message: string }
    | { __typename: 'NotFoundProblem', code: ProblemCode, message: string }
    | { __typename: 'ResetPasswordSuccess', token: string, expiresAt: string }
    | { __typename: 'ValidationProblem', code: ProblemCode, message: string, fields: Array<{ path: Array<string>, message: string }> }
   };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const FailureFragmentDoc = new TypedDocumentString(`
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
    `, {"fragmentName":"Failure"}) as unknown as TypedDocumentString<FailureFragment, unknown>;
export const ProgressFragmentDoc = new TypedDocumentString(`
    fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
    `, {"fragmentName":"Progress"}) as unknown as TypedDocumentString<ProgressFragment, unknown>;
export const DecisionFieldsFragmentDoc = new TypedDocumentString(`
    fragment DecisionFields on Decision {
  id
  stage
  at
  attempt
  summary
  policyVersion
  data
}
    `, {"fragmentName":"DecisionFields"}) as unknown as TypedDocumentString<DecisionFieldsFragment, unknown>;
export const ArtifactFieldsFragmentDoc = new TypedDocumentString(`
    fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}
    `, {"fragmentName":"ArtifactFields"}) as unknown as TypedDocumentString<ArtifactFieldsFragment, unknown>;
export const EventFieldsFragmentDoc = new TypedDocumentString(`
    fragment EventFields on JobEvent {
  __typename
  jobId
  sequence
  at
  attempt
  ... on JobStatusEvent {
    status
    reason
    failure {
      ...Failure
    }
  }
  ... on JobProgressEvent {
    progress {
      ...Progress
    }
  }
  ... on JobMetricEvent {
    name
    step
    value
    special
  }
  ... on JobLogEvent {
    stream
    text
    firstLine
  }
  ... on JobDecisionEvent {
    decision {
      ...DecisionFields
    }
  }
  ... on JobArtifactEvent {
    artifact {
      ...ArtifactFields
    }
  }
  ... on JobCancelRequestedEvent {
    by {
      id
      name
    }
    reason
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}
fragment DecisionFields on Decision {
  id
  stage
  at
  attempt
  summary
  policyVersion
  data
}`, {"fragmentName":"EventFields"}) as unknown as TypedDocumentString<EventFieldsFragment, unknown>;
export const UploadFieldsFragmentDoc = new TypedDocumentString(`
    fragment UploadFields on Upload {
  id
  name
  url
  bytes
  sha256
  complete
  expiresAt
}
    `, {"fragmentName":"UploadFields"}) as unknown as TypedDocumentString<UploadFieldsFragment, unknown>;
export const WorkerFieldsFragmentDoc = new TypedDocumentString(`
    fragment WorkerFields on Worker {
  id
  name
  version
  online
  lastSeenAt
  engineAudit {
    engine
    offered
    code
    message
    version
  }
  drain {
    since
    until
    reason
  }
}
    `, {"fragmentName":"WorkerFields"}) as unknown as TypedDocumentString<WorkerFieldsFragment, unknown>;
export const DeviceFieldsFragmentDoc = new TypedDocumentString(`
    fragment DeviceFields on Device {
  id
  uid
  name
  kind
  worker {
    id
    name
    online
  }
  engines
  health
  healthReason
  memoryBytes
  memoryFreeBytes
  engineAudit {
    engine
    code
    message
  }
  telemetry {
    utilisation
    memoryUsedBytes
    temperatureCelsius
    powerWatts
  }
  drain {
    since
    until
    reason
  }
  benchmark
  slots {
    index
    holderName
    busySince
    etaSeconds
  }
}
    `, {"fragmentName":"DeviceFields"}) as unknown as TypedDocumentString<DeviceFieldsFragment, unknown>;
export const JobRowFragmentDoc = new TypedDocumentString(`
    fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}`, {"fragmentName":"JobRow"}) as unknown as TypedDocumentString<JobRowFragment, unknown>;
export const JobDetailsFragmentDoc = new TypedDocumentString(`
    fragment JobDetails on Job {
  ...JobRow
  params
  deviceSelector
  timeoutSeconds
  maxAttempts
  requestedTier
  deviceCount
  waiting {
    reasons {
      devices {
        id
        name
      }
    }
  }
  attempts {
    id
    number
    outcome
    engine
    tier
    devices {
      id
      name
    }
    startedAt
    finishedAt
    failure {
      ...Failure
    }
    audit {
      wantedEngine
      usedEngine
      skipped {
        engine
        code
        message
      }
    }
    usage {
      peakUtilisation
      meanUtilisation
      peakMemoryBytes
      joules
      gpuSeconds
      isEstimate
    }
    containment
    artifacts {
      ...ArtifactFields
    }
  }
  artifacts {
    ...ArtifactFields
  }
  decisions {
    ...DecisionFields
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}
fragment DecisionFields on Decision {
  id
  stage
  at
  attempt
  summary
  policyVersion
  data
}
fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}`, {"fragmentName":"JobDetails"}) as unknown as TypedDocumentString<JobDetailsFragment, unknown>;
export const ViewerFieldsFragmentDoc = new TypedDocumentString(`
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}
    `, {"fragmentName":"ViewerFields"}) as unknown as TypedDocumentString<ViewerFieldsFragment, unknown>;
export const SignInFragmentDoc = new TypedDocumentString(`
    fragment SignIn on SignInResult {
  __typename
  ... on SignInSuccess {
    viewer {
      ...ViewerFields
    }
    accessToken
    expiresAt
    refreshToken
  }
  ... on Problem {
    code
    message
  }
  ... on ValidationProblem {
    fields {
      path
      message
    }
  }
  ... on RateLimitedProblem {
    retryAfterMs
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}`, {"fragmentName":"SignIn"}) as unknown as TypedDocumentString<SignInFragment, unknown>;
export const UserAccountFieldsFragmentDoc = new TypedDocumentString(`
    fragment UserAccountFields on UserAccount {
  id
  email
  name
  role
  disabled
  hasPassword
  createdAt
  lastSeenAt
}
    `, {"fragmentName":"UserAccountFields"}) as unknown as TypedDocumentString<UserAccountFieldsFragment, unknown>;
export const JobEventPageDocument = new TypedDocumentString(`
    query JobEventPage($jobId: ID!, $after: Int) {
  job(id: $jobId) {
    id
    events(after: $after, first: 400) {
      nodes {
        ...EventFields
      }
      hasMore
      lastSequence
    }
  }
}
    fragment EventFields on JobEvent {
  __typename
  jobId
  sequence
  at
  attempt
  ... on JobStatusEvent {
    status
    reason
    failure {
      ...Failure
    }
  }
  ... on JobProgressEvent {
    progress {
      ...Progress
    }
  }
  ... on JobMetricEvent {
    name
    step
    value
    special
  }
  ... on JobLogEvent {
    stream
    text
    firstLine
  }
  ... on JobDecisionEvent {
    decision {
      ...DecisionFields
    }
  }
  ... on JobArtifactEvent {
    artifact {
      ...ArtifactFields
    }
  }
  ... on JobCancelRequestedEvent {
    by {
      id
      name
    }
    reason
  }
}
fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}
fragment DecisionFields on Decision {
  id
  stage
  at
  attempt
  summary
  policyVersion
  data
}`) as unknown as TypedDocumentString<JobEventPageQuery, JobEventPageQueryVariables>;
export const JobEventsDocument = new TypedDocumentString(`
    subscription JobEvents($jobId: ID!, $after: Int) {
  jobEvents(jobId: $jobId, after: $after) {
    ...EventFields
  }
}
    fragment EventFields on JobEvent {
  __typename
  jobId
  sequence
  at
  attempt
  ... on JobStatusEvent {
    status
    reason
    failure {
      ...Failure
    }
  }
  ... on JobProgressEvent {
    progress {
      ...Progress
    }
  }
  ... on JobMetricEvent {
    name
    step
    value
    special
  }
  ... on JobLogEvent {
    stream
    text
    firstLine
  }
  ... on JobDecisionEvent {
    decision {
      ...DecisionFields
    }
  }
  ... on JobArtifactEvent {
    artifact {
      ...ArtifactFields
    }
  }
  ... on JobCancelRequestedEvent {
    by {
      id
      name
    }
    reason
  }
}
fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}
fragment DecisionFields on Decision {
  id
  stage
  at
  attempt
  summary
  policyVersion
  data
}`) as unknown as TypedDocumentString<JobEventsSubscription, JobEventsSubscriptionVariables>;
export const CreateUploadDocument = new TypedDocumentString(`
    mutation CreateUpload($input: CreateUploadInput!) {
  createUpload(input: $input) {
    __typename
    ... on CreateUploadSuccess {
      upload {
        ...UploadFields
      }
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
    ... on RateLimitedProblem {
      retryAfterMs
    }
  }
}
    fragment UploadFields on Upload {
  id
  name
  url
  bytes
  sha256
  complete
  expiresAt
}`) as unknown as TypedDocumentString<CreateUploadMutation, CreateUploadMutationVariables>;
export const UploadDocument = new TypedDocumentString(`
    query Upload($id: ID!) {
  node(id: $id) {
    __typename
    ... on Upload {
      ...UploadFields
    }
  }
}
    fragment UploadFields on Upload {
  id
  name
  url
  bytes
  sha256
  complete
  expiresAt
}`) as unknown as TypedDocumentString<UploadQuery, UploadQueryVariables>;
export const ArtifactDocument = new TypedDocumentString(`
    query Artifact($id: ID!) {
  node(id: $id) {
    __typename
    ... on Artifact {
      ...ArtifactFields
    }
  }
}
    fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}`) as unknown as TypedDocumentString<ArtifactQuery, ArtifactQueryVariables>;
export const DevicesDocument = new TypedDocumentString(`
    query Devices {
  devices {
    ...DeviceFields
  }
}
    fragment DeviceFields on Device {
  id
  uid
  name
  kind
  worker {
    id
    name
    online
  }
  engines
  health
  healthReason
  memoryBytes
  memoryFreeBytes
  engineAudit {
    engine
    code
    message
  }
  telemetry {
    utilisation
    memoryUsedBytes
    temperatureCelsius
    powerWatts
  }
  drain {
    since
    until
    reason
  }
  benchmark
  slots {
    index
    holderName
    busySince
    etaSeconds
  }
}`) as unknown as TypedDocumentString<DevicesQuery, DevicesQueryVariables>;
export const WorkersDocument = new TypedDocumentString(`
    query Workers {
  workers {
    ...WorkerFields
  }
}
    fragment WorkerFields on Worker {
  id
  name
  version
  online
  lastSeenAt
  engineAudit {
    engine
    offered
    code
    message
    version
  }
  drain {
    since
    until
    reason
  }
}`) as unknown as TypedDocumentString<WorkersQuery, WorkersQueryVariables>;
export const FleetDocument = new TypedDocumentString(`
    query Fleet {
  devices {
    ...DeviceFields
  }
  workers {
    ...WorkerFields
  }
  jobs(filter: {status: [RUNNING]}, first: 100) {
    nodes {
      id
      name
      kind
      startedAt
      owner {
        id
        name
      }
      devices {
        id
      }
    }
  }
}
    fragment WorkerFields on Worker {
  id
  name
  version
  online
  lastSeenAt
  engineAudit {
    engine
    offered
    code
    message
    version
  }
  drain {
    since
    until
    reason
  }
}
fragment DeviceFields on Device {
  id
  uid
  name
  kind
  worker {
    id
    name
    online
  }
  engines
  health
  healthReason
  memoryBytes
  memoryFreeBytes
  engineAudit {
    engine
    code
    message
  }
  telemetry {
    utilisation
    memoryUsedBytes
    temperatureCelsius
    powerWatts
  }
  drain {
    since
    until
    reason
  }
  benchmark
  slots {
    index
    holderName
    busySince
    etaSeconds
  }
}`) as unknown as TypedDocumentString<FleetQuery, FleetQueryVariables>;
export const HealthDocument = new TypedDocumentString(`
    query Health {
  health {
    ok
    version
    checks {
      name
      ok
      message
    }
  }
}
    `) as unknown as TypedDocumentString<HealthQuery, HealthQueryVariables>;
export const CreateWorkerTokenDocument = new TypedDocumentString(`
    mutation CreateWorkerToken($input: CreateWorkerTokenInput!) {
  createWorkerToken(input: $input) {
    __typename
    ... on CreateWorkerTokenSuccess {
      token
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWorkerTokenMutation, CreateWorkerTokenMutationVariables>;
export const DevicesChangedDocument = new TypedDocumentString(`
    subscription DevicesChanged {
  devicesChanged {
    ...DeviceFields
  }
}
    fragment DeviceFields on Device {
  id
  uid
  name
  kind
  worker {
    id
    name
    online
  }
  engines
  health
  healthReason
  memoryBytes
  memoryFreeBytes
  engineAudit {
    engine
    code
    message
  }
  telemetry {
    utilisation
    memoryUsedBytes
    temperatureCelsius
    powerWatts
  }
  drain {
    since
    until
    reason
  }
  benchmark
  slots {
    index
    holderName
    busySince
    etaSeconds
  }
}`) as unknown as TypedDocumentString<DevicesChangedSubscription, DevicesChangedSubscriptionVariables>;
export const DrainDocument = new TypedDocumentString(`
    mutation Drain($input: DrainInput!) {
  drain(input: $input) {
    __typename
    ... on DrainSuccess {
      devices {
        ...DeviceFields
      }
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
  }
}
    fragment DeviceFields on Device {
  id
  uid
  name
  kind
  worker {
    id
    name
    online
  }
  engines
  health
  healthReason
  memoryBytes
  memoryFreeBytes
  engineAudit {
    engine
    code
    message
  }
  telemetry {
    utilisation
    memoryUsedBytes
    temperatureCelsius
    powerWatts
  }
  drain {
    since
    until
    reason
  }
  benchmark
  slots {
    index
    holderName
    busySince
    etaSeconds
  }
}`) as unknown as TypedDocumentString<DrainMutation, DrainMutationVariables>;
export const UndrainDocument = new TypedDocumentString(`
    mutation Undrain($id: ID!) {
  undrain(id: $id) {
    __typename
    ... on DrainSuccess {
      devices {
        ...DeviceFields
      }
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
  }
}
    fragment DeviceFields on Device {
  id
  uid
  name
  kind
  worker {
    id
    name
    online
  }
  engines
  health
  healthReason
  memoryBytes
  memoryFreeBytes
  engineAudit {
    engine
    code
    message
  }
  telemetry {
    utilisation
    memoryUsedBytes
    temperatureCelsius
    powerWatts
  }
  drain {
    since
    until
    reason
  }
  benchmark
  slots {
    index
    holderName
    busySince
    etaSeconds
  }
}`) as unknown as TypedDocumentString<UndrainMutation, UndrainMutationVariables>;
export const JobDocument = new TypedDocumentString(`
    query Job($id: ID!) {
  job(id: $id) {
    ...JobDetails
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment ArtifactFields on Artifact {
  id
  name
  mediaType
  bytes
  sha256
  role
  attempt
  url
  createdAt
}
fragment DecisionFields on Decision {
  id
  stage
  at
  attempt
  summary
  policyVersion
  data
}
fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}
fragment JobDetails on Job {
  ...JobRow
  params
  deviceSelector
  timeoutSeconds
  maxAttempts
  requestedTier
  deviceCount
  waiting {
    reasons {
      devices {
        id
        name
      }
    }
  }
  attempts {
    id
    number
    outcome
    engine
    tier
    devices {
      id
      name
    }
    startedAt
    finishedAt
    failure {
      ...Failure
    }
    audit {
      wantedEngine
      usedEngine
      skipped {
        engine
        code
        message
      }
    }
    usage {
      peakUtilisation
      meanUtilisation
      peakMemoryBytes
      joules
      gpuSeconds
      isEstimate
    }
    containment
    artifacts {
      ...ArtifactFields
    }
  }
  artifacts {
    ...ArtifactFields
  }
  decisions {
    ...DecisionFields
  }
}`) as unknown as TypedDocumentString<JobQuery, JobQueryVariables>;
export const JobStandingDocument = new TypedDocumentString(`
    query JobStanding($id: ID!) {
  job(id: $id) {
    id
    status
    lastSequence
  }
}
    `) as unknown as TypedDocumentString<JobStandingQuery, JobStandingQueryVariables>;
export const JobsDocument = new TypedDocumentString(`
    query Jobs($filter: JobFilter, $orderBy: JobOrder, $first: Int, $after: String) {
  jobs(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    nodes {
      ...JobRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}`) as unknown as TypedDocumentString<JobsQuery, JobsQueryVariables>;
export const JobKindsDocument = new TypedDocumentString(`
    query JobKinds {
  jobKinds {
    name
    title
    description
    paramsSchema
    tiers
    enabled
  }
}
    `) as unknown as TypedDocumentString<JobKindsQuery, JobKindsQueryVariables>;
export const SubmitJobDocument = new TypedDocumentString(`
    mutation SubmitJob($input: SubmitJobInput!) {
  submitJob(input: $input) {
    __typename
    ... on SubmitJobSuccess {
      job {
        ...JobRow
      }
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
    ... on RateLimitedProblem {
      retryAfterMs
    }
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}`) as unknown as TypedDocumentString<SubmitJobMutation, SubmitJobMutationVariables>;
export const CancelJobDocument = new TypedDocumentString(`
    mutation CancelJob($input: CancelJobInput!) {
  cancelJob(input: $input) {
    __typename
    ... on CancelJobSuccess {
      job {
        ...JobRow
      }
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
    ... on RateLimitedProblem {
      retryAfterMs
    }
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}`) as unknown as TypedDocumentString<CancelJobMutation, CancelJobMutationVariables>;
export const DeleteJobDocument = new TypedDocumentString(`
    mutation DeleteJob($input: DeleteJobInput!) {
  deleteJob(input: $input) {
    __typename
    ... on DeleteJobSuccess {
      id
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
    ... on RateLimitedProblem {
      retryAfterMs
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteJobMutation, DeleteJobMutationVariables>;
export const JobsChangedDocument = new TypedDocumentString(`
    subscription JobsChanged($filter: JobFilter) {
  jobsChanged(filter: $filter) {
    job {
      ...JobRow
    }
    deletedId
  }
}
    fragment Failure on JobFailure {
  code
  origin
  retryable
  message
}
fragment Progress on JobProgress {
  fraction
  step
  total
  message
  etaSeconds
}
fragment JobRow on Job {
  id
  kind
  name
  labels
  owner {
    id
    name
  }
  status
  statusReason
  priority
  progress {
    ...Progress
  }
  createdAt
  startedAt
  finishedAt
  cancelRequestedAt
  failure {
    ...Failure
  }
  tier
  engine
  devices {
    id
    name
  }
  waiting {
    position
    etaSeconds
    reasons {
      code
      message
    }
  }
  lastSequence
  permissions {
    canCancel
    canDelete
  }
}`) as unknown as TypedDocumentString<JobsChangedSubscription, JobsChangedSubscriptionVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    ...ViewerFields
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}`) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const RegisterDocument = new TypedDocumentString(`
    mutation Register($input: RegisterInput!) {
  register(input: $input) {
    ...SignIn
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}
fragment SignIn on SignInResult {
  __typename
  ... on SignInSuccess {
    viewer {
      ...ViewerFields
    }
    accessToken
    expiresAt
    refreshToken
  }
  ... on Problem {
    code
    message
  }
  ... on ValidationProblem {
    fields {
      path
      message
    }
  }
  ... on RateLimitedProblem {
    retryAfterMs
  }
}`) as unknown as TypedDocumentString<RegisterMutation, RegisterMutationVariables>;
export const LoginDocument = new TypedDocumentString(`
    mutation Login($input: LoginInput!) {
  login(input: $input) {
    ...SignIn
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}
fragment SignIn on SignInResult {
  __typename
  ... on SignInSuccess {
    viewer {
      ...ViewerFields
    }
    accessToken
    expiresAt
    refreshToken
  }
  ... on Problem {
    code
    message
  }
  ... on ValidationProblem {
    fields {
      path
      message
    }
  }
  ... on RateLimitedProblem {
    retryAfterMs
  }
}`) as unknown as TypedDocumentString<LoginMutation, LoginMutationVariables>;
export const RefreshDocument = new TypedDocumentString(`
    mutation Refresh($token: String) {
  refresh(token: $token) {
    ...SignIn
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}
fragment SignIn on SignInResult {
  __typename
  ... on SignInSuccess {
    viewer {
      ...ViewerFields
    }
    accessToken
    expiresAt
    refreshToken
  }
  ... on Problem {
    code
    message
  }
  ... on ValidationProblem {
    fields {
      path
      message
    }
  }
  ... on RateLimitedProblem {
    retryAfterMs
  }
}`) as unknown as TypedDocumentString<RefreshMutation, RefreshMutationVariables>;
export const RedeemSignInLinkDocument = new TypedDocumentString(`
    mutation RedeemSignInLink($token: String!) {
  redeemSignInLink(token: $token) {
    ...SignIn
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}
fragment SignIn on SignInResult {
  __typename
  ... on SignInSuccess {
    viewer {
      ...ViewerFields
    }
    accessToken
    expiresAt
    refreshToken
  }
  ... on Problem {
    code
    message
  }
  ... on ValidationProblem {
    fields {
      path
      message
    }
  }
  ... on RateLimitedProblem {
    retryAfterMs
  }
}`) as unknown as TypedDocumentString<RedeemSignInLinkMutation, RedeemSignInLinkMutationVariables>;
export const LogoutDocument = new TypedDocumentString(`
    mutation Logout {
  logout
}
    `) as unknown as TypedDocumentString<LogoutMutation, LogoutMutationVariables>;
export const CreateInviteDocument = new TypedDocumentString(`
    mutation CreateInvite($input: CreateInviteInput!) {
  createInvite(input: $input) {
    __typename
    ... on CreateInviteSuccess {
      invite
      expiresAt
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateInviteMutation, CreateInviteMutationVariables>;
export const RegistrationDocument = new TypedDocumentString(`
    query Registration {
  registration {
    mode
    isFirst
  }
}
    `) as unknown as TypedDocumentString<RegistrationQuery, RegistrationQueryVariables>;
export const HasPasswordDocument = new TypedDocumentString(`
    query HasPassword {
  viewer {
    id
    hasPassword
  }
}
    `) as unknown as TypedDocumentString<HasPasswordQuery, HasPasswordQueryVariables>;
export const ChangePasswordDocument = new TypedDocumentString(`
    mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    ...SignIn
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  name
  role
}
fragment SignIn on SignInResult {
  __typename
  ... on SignInSuccess {
    viewer {
      ...ViewerFields
    }
    accessToken
    expiresAt
    refreshToken
  }
  ... on Problem {
    code
    message
  }
  ... on ValidationProblem {
    fields {
      path
      message
    }
  }
  ... on RateLimitedProblem {
    retryAfterMs
  }
}`) as unknown as TypedDocumentString<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const UsersDocument = new TypedDocumentString(`
    query Users($first: Int, $after: String, $text: String) {
  users(first: $first, after: $after, text: $text) {
    nodes {
      ...UserAccountFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment UserAccountFields on UserAccount {
  id
  email
  name
  role
  disabled
  hasPassword
  createdAt
  lastSeenAt
}`) as unknown as TypedDocumentString<UsersQuery, UsersQueryVariables>;
export const UpdateUserDocument = new TypedDocumentString(`
    mutation UpdateUser($input: UpdateUserInput!) {
  updateUser(input: $input) {
    __typename
    ... on UpdateUserSuccess {
      user {
        ...UserAccountFields
      }
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
  }
}
    fragment UserAccountFields on UserAccount {
  id
  email
  name
  role
  disabled
  hasPassword
  createdAt
  lastSeenAt
}`) as unknown as TypedDocumentString<UpdateUserMutation, UpdateUserMutationVariables>;
export const ResetPasswordDocument = new TypedDocumentString(`
    mutation ResetPassword($userId: ID!) {
  resetPassword(userId: $userId) {
    __typename
    ... on ResetPasswordSuccess {
      token
      expiresAt
    }
    ... on Problem {
      code
      message
    }
    ... on ValidationProblem {
      fields {
        path
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;