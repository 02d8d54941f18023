import { Field, Float, ID, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import { UserType } from '../account/account.type.js';
import { ArtifactType } from '../artifact/artifact.type.js';
import { DecisionType, JobFailureType, JobProgressType, JobStatusEnum } from '../job/job.type.js';
import { DateTime } from '../scalars/date-time.js';

export const LogStreamEnum = { STDOUT: 'STDOUT', STDERR: 'STDERR', SYSTEM: 'SYSTEM' } as const;
registerEnumType(LogStreamEnum, { name: 'LogStream' });

/** One number per job, from 1, without gaps. */
@InterfaceType('JobEvent', { description: 'One number per job, from 1, without gaps.' })
export abstract class JobEventType {
  @Field(() => ID, { simple: true })
  jobId!: string;

  @Field(() => Int, { simple: true })
  sequence!: number;

  @Field(() => DateTime, { simple: true })
  at!: Date;

  @Field(() => Int, { nullable: true, simple: true })
  attempt!: number | null;
}

@ObjectType({ implements: JobEventType, simpleResolvers: true })
export class JobStatusEvent extends JobEventType {
  @Field(() => JobStatusEnum)
  status!: keyof typeof JobStatusEnum;

  @Field(() => String, { nullable: true })
  reason!: string | null;

  @Field(() => JobFailureType, { nullable: true })
  failure!: JobFailureType | null;
}

@ObjectType({ implements: JobEventType, simpleResolvers: true })
export class JobProgressEvent extends JobEventType {
  @Field(() => JobProgressType)
  progress!: JobProgressType;
}

@ObjectType({
  implements: JobEventType,
  simpleResolvers: true,
  description: 'NaN and infinities: value is null and special says which.',
})
export class JobMetricEvent extends JobEventType {
  @Field(() => String)
  name!: string;

  @Field(() => Int, { nullable: true })
  step!: number | null;

  @Field(() => Float, { nullable: true })
  value!: number | null;

  @Field(() => String, { nullable: true })
  special!: string | null;
}

@ObjectType({
  implements: JobEventType,
  simpleResolvers: true,
  description:
    'A chunk: whole lines, each ending in a newline (only the last of a stream may lack it), at most 64 KiB; firstLine counts per stream from 1.',
})
export class JobLogEvent extends JobEventType {
  @Field(() => LogStreamEnum)
  stream!: keyof typeof LogStreamEnum;

  @Field(() => String)
  text!: string;

  @Field(() => Int)
  firstLine!: number;
}

@ObjectType({ implements: JobEventType, simpleResolvers: true })
export class JobDecisionEvent extends JobEventType {
  @Field(() => DecisionType)
  decision!: DecisionType;
}

@ObjectType({ implements: JobEventType, simpleResolvers: true })
export class JobArtifactEvent extends JobEventType {
  @Field(() => ArtifactType)
  artifact!: ArtifactType;
}

@ObjectType({ implements: JobEventType, simpleResolvers: true })
export class JobCancelRequestedEvent extends JobEventType {
  @Field(() => UserType)
  by!: UserType;

  @Field(() => String, { nullable: true })
  reason!: string | null;
}

@ObjectType('JobEventPage', { simpleResolvers: true })
export class JobEventPageType {
  @Field(() => [JobEventType])
  nodes!: JobEventType[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => Int)
  lastSequence!: number;
}
