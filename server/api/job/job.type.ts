import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { FailureCode } from '@gjm/core/job/failure.js';
import type { JobRecord } from '../../application/records.js';
import { Node } from '../node.type.js';
import { EngineAuditType } from '../device/device.type.js';
import { BigIntScalar } from '../scalars/big-int.js';
import { DateTime } from '../scalars/date-time.js';
import { JSONObject } from '../scalars/json-object.js';

export const JobStatusEnum = {
  QUEUED: 'QUEUED',
  RUNNING: 'RUNNING',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
} as const;
registerEnumType(JobStatusEnum, { name: 'JobStatus' });

export const FailureOriginEnum = {
  WORKLOAD: 'WORKLOAD',
  DEVICE: 'DEVICE',
  PLATFORM: 'PLATFORM',
  USER: 'USER',
} as const;
registerEnumType(FailureOriginEnum, { name: 'FailureOrigin' });

@ObjectType('JobFailure', { simpleResolvers: true, description: 'Why a job or an attempt failed.' })
export class JobFailureType {
  @Field(() => String, {
    description:
      'INVALID_INPUT WORKLOAD_ERROR OUT_OF_MEMORY TIMEOUT WORKER_LOST RUNNER_CRASHED DEVICE_LOST NO_ENGINE OUTPUT_INVALID DISK_FULL VALIDATION_FAILED DEPENDENCY_FAILED',
  })
  code!: FailureCode;

  @Field(() => FailureOriginEnum)
  origin!: keyof typeof FailureOriginEnum;

  @Field(() => Boolean)
  retryable!: boolean;

  @Field(() => String)
  message!: string;
}

@ObjectType('JobProgress', { simpleResolvers: true })
export class JobProgressType {
  @Field(() => Float, { nullable: true, description: '0 to 1.' })
  fraction!: number | null;

  @Field(() => Int, { nullable: true })
  step!: number | null;

  @Field(() => Int, { nullable: true })
  total!: number | null;

  @Field(() => String, { nullable: true })
  message!: string | null;

  @Field(() => Int, { nullable: true })
  etaSeconds!: number | null;
}

@ObjectType('JobPermissions', {
  simpleResolvers: true,
  description: 'What you may do with the job as it is now.',
})
export class JobPermissionsType {
  @Field(() => Boolean)
  canCancel!: boolean;

  @Field(() => Boolean)
  canDelete!: boolean;
}

@ObjectType('WaitReason', { simpleResolvers: true })
export class WaitReasonType {
  /** Resolved to `devices` when asked for. */
  deviceIds!: string[];

  @Field(() => String, {
    description:
      'NO_WORKER DEVICE_BUSY DEVICE_UNHEALTHY NO_ENGINE NO_MEMORY SELECTOR QUOTA DEPENDENCY RETRY_BACKOFF RESERVED_FOR_OTHER PRIORITY DISPATCHED',
  })
  code!: string;

  @Field(() => String)
  message!: string;
}

@ObjectType('Waiting', { simpleResolvers: true, description: 'All that keeps a queued job waiting.' })
export class WaitingType {
  @Field(() => Int, { nullable: true, description: 'Place in line, from 1.' })
  position!: number | null;

  @Field(() => Int, { nullable: true })
  etaSeconds!: number | null;

  @Field(() => [WaitReasonType])
  reasons!: WaitReasonType[];
}

@ObjectType('Decision', {
  simpleResolvers: true,
  description: 'A recorded choice, with everything it was made from.',
})
export class DecisionType {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'planner scheduler executor evaluator' })
  stage!: string;

  @Field(() => DateTime)
  at!: Date;

  @Field(() => Int, { nullable: true })
  attempt!: number | null;

  @Field(() => String)
  summary!: string;

  @Field(() => String, { nullable: true })
  policyVersion!: string | null;

  @Field(() => JSONObject)
  data!: Record<string, unknown>;
}

/** What a user asked for, and how it stands. Fields that need more than the row are in the resolver. */
@ObjectType('Job', {
  implements: Node,
  simpleResolvers: true,
  description: 'What a user asked for, and how it stands.',
})
export class JobType extends Node {
  /** The row itself, for the resolver. */
  record!: JobRecord;

  @Field(() => String)
  kind!: string;

  @Field(() => String)
  name!: string;

  @Field(() => JSONObject)
  params!: Record<string, unknown>;

  @Field(() => JSONObject)
  labels!: Record<string, string>;

  @Field(() => JobStatusEnum)
  status!: keyof typeof JobStatusEnum;

  @Field(() => String, { nullable: true })
  statusReason!: string | null;

  @Field(() => Int)
  priority!: number;

  @Field(() => JSONObject, { description: 'Which devices it accepts; an empty object is any.' })
  deviceSelector!: Record<string, unknown>;

  @Field(() => Int, { description: 'Devices of one worker that an attempt holds at once.' })
  deviceCount!: number;

  @Field(() => Int, { description: 'The most one attempt may take.' })
  timeoutSeconds!: number;

  @Field(() => Int)
  maxAttempts!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The tier that was asked for; null left it to the planner.',
  })
  requestedTier!: string | null;

  @Field(() => JobProgressType, { nullable: true })
  progress!: JobProgressType | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'The first start.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true })
  finishedAt!: Date | null;

  @Field(() => DateTime, { nullable: true })
  cancelRequestedAt!: Date | null;

  @Field(() => JobFailureType, { nullable: true })
  failure!: JobFailureType | null;

  @Field(() => String, { nullable: true })
  tier!: string | null;

  @Field(() => String, { nullable: true })
  engine!: string | null;

  @Field(() => Int, { description: 'The number of its last event.' })
  lastSequence!: number;
}

export const AttemptOutcomeEnum = {
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
  LOST: 'LOST',
  RELEASED: 'RELEASED',
  VOID: 'VOID',
} as const;
registerEnumType(AttemptOutcomeEnum, {
  name: 'AttemptOutcome',
  description: 'RELEASED and VOID do not count against maxAttempts.',
});

@ObjectType('AttemptUsage', {
  simpleResolvers: true,
  description: 'What it took of its devices, as measured; null where the device does not tell.',
})
export class AttemptUsageType {
  @Field(() => Float, { nullable: true, description: '0 to 1.' })
  peakUtilisation!: number | null;

  @Field(() => Float, { nullable: true, description: '0 to 1.' })
  meanUtilisation!: number | null;

  @Field(() => BigIntScalar, { nullable: true, description: 'Beyond what was in use before it began.' })
  peakMemoryBytes!: number | null;

  @Field(() => Float, { nullable: true, description: 'Energy, in joules.' })
  joules!: number | null;

  @Field(() => Float, { nullable: true, description: 'Seconds that it held GPUs, summed over them.' })
  gpuSeconds!: number | null;

  @Field(() => Boolean, { description: 'Others computed on a device at the same time.' })
  isEstimate!: boolean;
}

@ObjectType('AttemptAudit', {
  simpleResolvers: true,
  description: 'Which engine it should have had, which it had, and why each better one was passed over.',
})
export class AttemptAuditType {
  @Field(() => String, { description: "The best engine of the job's plan." })
  wantedEngine!: string;

  @Field(() => String)
  usedEngine!: string;

  @Field(() => [EngineAuditType], { description: 'Best first; empty when the best one was used.' })
  skipped!: EngineAuditType[];
}

/** `devices` and `artifacts` are in the resolver. */
@ObjectType('Attempt', { implements: Node, simpleResolvers: true, description: 'One try at a job.' })
export class AttemptType extends Node {
  @Field(() => Int)
  number!: number;

  @Field(() => AttemptOutcomeEnum, { nullable: true, description: 'Null while it lives.' })
  outcome!: keyof typeof AttemptOutcomeEnum | null;

  @Field(() => String, { nullable: true })
  engine!: string | null;

  @Field(() => String, { nullable: true })
  tier!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Null if no worker claimed it.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true })
  finishedAt!: Date | null;

  @Field(() => JobFailureType, { nullable: true })
  failure!: JobFailureType | null;

  @Field(() => AttemptAuditType)
  audit!: AttemptAuditType;

  @Field(() => AttemptUsageType, { nullable: true, description: 'Null while it lives, and on a CPU.' })
  usage!: AttemptUsageType | null;

  @Field(() => String, {
    nullable: true,
    description: "As whom a user's program ran and how its processes were kept together.",
  })
  containment!: string | null;
}

@ObjectType('JobChange', {
  simpleResolvers: true,
  description: 'A job as it is now, or the id of one that is gone.',
})
export class JobChangeType {
  @Field(() => JobType, { nullable: true })
  job!: JobType | null;

  @Field(() => ID, { nullable: true })
  deletedId!: string | null;
}
