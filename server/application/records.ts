import type { JobFailure } from '@gjm/core/job/failure.js';
import type { DeviceSelector } from '@gjm/core/job/spec.js';
import type { AttemptOutcome, AttemptState, JobStatus } from '@gjm/core/job/status.js';
import type { Plan } from '@gjm/core/plan/plan.js';
import type { DecisionFacts, JobProgress } from '@gjm/core/wire/events.js';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { Telemetry, Usage } from '@gjm/core/wire/worker-api.js';

/** Rows as the application knows them: plain, with times as Date. What each means stands at its entity and its API type. */
export interface JobRecord {
  id: string;
  ownerId: string;
  kind: string;
  name: string;
  params: Record<string, unknown>;
  labels: Record<string, string>;
  priority: number;
  status: JobStatus;
  statusReason: string | null;
  failure: JobFailure | null;
  progress: JobProgress | null;
  tier: string | null;
  engine: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  cancelRequestedAt: Date | null;
  notBefore: Date | null;
  requestedTier: string | null;
  deviceCount: number;
  maxAttempts: number;
  timeoutSeconds: number;
  plan: Plan;
  deviceSelector: DeviceSelector;
  attemptCount: number;
  currentAttemptId: string | null;
  lastSequence: number;
  requestHash: string | null;
}

export interface AttemptRecord {
  id: string;
  jobId: string;
  number: number;
  workerId: string;
  state: AttemptState;
  engine: string;
  tier: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  outcome: AttemptOutcome | null;
  failure: JobFailure | null;
  engineAudit: EngineAudit[];
  usage: Usage | null;
  containment: string | null;
}

export interface DecisionRecord {
  id: string;
  jobId: string;
  attempt: number | null;
  stage: DecisionFacts['stage'];
  at: Date;
  summary: string;
  policyVersion: string | null;
  data: Record<string, unknown>;
}

export interface WorkerRecord {
  id: string;
  name: string;
  version: string;
  engineAudit: EngineAudit[];
  draining: boolean;
  /** Null once the drain's time is over. */
  drainedAt: Date | null;
  drainedUntil: Date | null;
  drainReason: string | null;
  lastSeenAt: Date;
  /** Its lease is in the future, by the database clock. */
  online: boolean;
}

/** A place on a device, and who has it. */
export interface SlotRecord {
  index: number;
  /** Null while it is free. */
  holderName: string | null;
  busySince: Date | null;
  /** What the attempt that has it says is left, if it says so. */
  etaSeconds: number | null;
}

export interface DeviceRecord {
  id: string;
  workerId: string;
  uid: string;
  name: string;
  kind: 'GPU' | 'MIG' | 'SOFTWARE' | 'CPU';
  engines: string[];
  health: string;
  healthReason: string | null;
  memoryBytes: number | null;
  memoryFreeBytes: number | null;
  drainedAt: Date | null;
  drainedUntil: Date | null;
  drainReason: string | null;
  runs: string[] | null;
  engineAudit: EngineAudit[];
  telemetry: Telemetry | null;
  benchmark: Record<string, number> | null;
  slots: SlotRecord[];
}
