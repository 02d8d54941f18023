import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { JobFailure } from '@gjm/core/job/failure.js';
import type { DeviceSelector } from '@gjm/core/job/spec.js';
import type { AttemptOutcome, AttemptState, JobStatus } from '@gjm/core/job/status.js';
import type { Plan } from '@gjm/core/plan/plan.js';
import type { DecisionFacts, EventType, JobProgress } from '@gjm/core/wire/events.js';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { Usage } from '@gjm/core/wire/worker-api.js';
import { BytesColumn, IdColumn, PrimaryIdColumn, StampColumn, TimeColumn } from './column.js';

/** What a user asked for, and how it stands. Status, sequence and times are written by transitions only. */
@Entity('jobs')
export class JobEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'owner_id' })
  ownerId!: string;
  @Column('text')
  kind!: string;
  @Column('text')
  name!: string;
  @Column('jsonb')
  params!: Record<string, unknown>;
  @Column('jsonb')
  labels!: Record<string, string>;
  @Column('smallint')
  priority!: number;
  @Column('text', { name: 'requested_tier', nullable: true })
  requestedTier!: string | null;
  /** Devices of one worker that an attempt holds at once. */
  @Column('smallint', { name: 'device_count', default: 1 })
  deviceCount!: number;
  @Column('smallint', { name: 'max_attempts' })
  maxAttempts!: number;
  @Column('integer', { name: 'timeout_seconds' })
  timeoutSeconds!: number;
  @Column('jsonb', { name: 'device_selector' })
  deviceSelector!: DeviceSelector;
  @Column('text', { name: 'client_request_id', nullable: true })
  clientRequestId!: string | null;
  @Column('text', { name: 'request_hash', nullable: true })
  requestHash!: string | null;
  @Column('text', { name: 'trace_id', nullable: true })
  traceId!: string | null;
  @Column('jsonb')
  plan!: Plan;
  @Column('text')
  status!: JobStatus;
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason!: string | null;
  @Column('jsonb', { nullable: true })
  failure!: JobFailure | null;
  @Column('jsonb', { nullable: true })
  progress!: JobProgress | null;
  @Column('text', { nullable: true })
  tier!: string | null;
  @Column('text', { nullable: true })
  engine!: string | null;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
  @TimeColumn({ name: 'started_at', nullable: true })
  startedAt!: Date | null;
  @TimeColumn({ name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
  @TimeColumn({ name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt!: Date | null;
  @TimeColumn({ name: 'not_before', nullable: true })
  notBefore!: Date | null;
  @Column('smallint', { name: 'counted_failures', default: 0 })
  countedFailures!: number;
  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount!: number;
  @IdColumn({ name: 'current_attempt_id', nullable: true })
  currentAttemptId!: string | null;
  @Column('integer', { name: 'last_sequence', default: 0 })
  lastSequence!: number;
  @BytesColumn({ name: 'log_bytes', default: 0 })
  logBytes!: number;
  @Column('boolean', { name: 'log_cut', default: false })
  logCut!: boolean;
  /** Its log, progress and metric events were removed by age. */
  @Column('boolean', { name: 'events_pruned', default: false })
  eventsPruned!: boolean;
}

/** A file that a job uses, as it was when the job was submitted. */
@Entity('job_inputs')
export class JobInputEntity {
  @PrimaryIdColumn('job_id')
  jobId!: string;
  @PrimaryColumn('text')
  field!: string;
  @IdColumn({ name: 'file_id' })
  fileId!: string;
  @BytesColumn()
  bytes!: number;
  @Column('text')
  sha256!: string;
  @Column('text', { name: 'storage_key' })
  storageKey!: string;
}

/** One try at a job, on one worker. */
@Entity('attempts')
export class AttemptEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'job_id' })
  jobId!: string;
  @Column('integer')
  number!: number;
  @IdColumn({ name: 'worker_id' })
  workerId!: string;
  @Column('text')
  state!: AttemptState;
  @Column('text')
  engine!: string;
  @Column('text', { nullable: true })
  tier!: string | null;
  @Column('text', { name: 'token_hash', nullable: true })
  tokenHash!: string | null;
  @StampColumn({ name: 'placed_at' })
  placedAt!: Date;
  @TimeColumn({ name: 'enqueued_at', nullable: true })
  enqueuedAt!: Date | null;
  @TimeColumn({ name: 'started_at', nullable: true })
  startedAt!: Date | null;
  @TimeColumn({ name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
  @TimeColumn({ name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;
  @TimeColumn({ name: 'run_until', nullable: true })
  runUntil!: Date | null;
  @TimeColumn({ name: 'cancel_until', nullable: true })
  cancelUntil!: Date | null;
  @Column('integer', { name: 'reported_number', default: 0 })
  reportedNumber!: number;
  /** How often deadlines were put off because no server was listening, since the last acknowledged beat. */
  @Column('smallint', { default: 0 })
  extensions!: number;
  @Column('text', { nullable: true })
  outcome!: AttemptOutcome | null;
  @Column('jsonb', { nullable: true })
  failure!: JobFailure | null;
  /** Why its device did not offer the better engines, as it stood when it was placed. */
  @Column('jsonb', { name: 'engine_audit', default: [] })
  engineAudit!: EngineAudit[];
  @Column('jsonb', { nullable: true })
  usage!: Usage | null;
  @Column('text', { nullable: true })
  containment!: string | null;
}

/** Which device, and which place on it, an attempt had. */
@Entity('attempt_devices')
export class AttemptDeviceEntity {
  @PrimaryIdColumn('attempt_id')
  attemptId!: string;
  @PrimaryIdColumn('device_id')
  deviceId!: string;
  @Column('smallint', { name: 'slot_index' })
  slotIndex!: number;
  /** Its number among the attempt's devices, from 0: the first one's queue brings the attempt to its worker. */
  @Column('smallint', { default: 0 })
  place!: number;
}

/** One row of a job's numbered sequence. */
@Entity('job_events')
export class JobEventEntity {
  @PrimaryIdColumn('job_id')
  jobId!: string;
  @PrimaryColumn('integer')
  sequence!: number;
  @Column('integer', { nullable: true })
  attempt!: number | null;
  @Column('text')
  type!: EventType;
  @StampColumn()
  at!: Date;
  @Column('jsonb')
  data!: unknown;
}

/** A recorded choice, with everything it was made from. */
@Entity('decisions')
export class DecisionEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'job_id' })
  jobId!: string;
  @Column('integer', { nullable: true })
  attempt!: number | null;
  @Column('text')
  stage!: DecisionFacts['stage'];
  @StampColumn()
  at!: Date;
  @Column('text')
  summary!: string;
  @Column('text', { name: 'policy_version', nullable: true })
  policyVersion!: string | null;
  @BytesColumn({ name: 'tick_id', nullable: true })
  tickId!: number | null;
  @Column('jsonb')
  data!: Record<string, unknown>;
}

/** The compressed snapshot of a tick that placed something: what a replay reads. */
@Entity('ticks')
export class TickEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;
  @StampColumn()
  at!: Date;
  @Column('bytea')
  snapshot!: Buffer;
}

/** Bytes whose rows are gone and that a sweeper still has to remove. */
@Entity('blob_removals')
export class BlobRemovalEntity {
  @PrimaryColumn('text', { name: 'storage_key' })
  storageKey!: string;
  @StampColumn({ name: 'queued_at' })
  queuedAt!: Date;
  @Column('integer', { default: 0 })
  tries!: number;
}

export const jobEntities = [
  JobEntity,
  JobInputEntity,
  AttemptEntity,
  AttemptDeviceEntity,
  JobEventEntity,
  DecisionEntity,
  TickEntity,
  BlobRemovalEntity,
];
