import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql';
import { DateTime } from '../scalars/date-time.js';
import { JSONObject } from '../scalars/json-object.js';
import { JobStatusEnum } from './job.type.js';

@InputType()
export class SubmitJobInput {
  [key: string]: unknown;

  @Field(() => String)
  kind!: string;

  @Field(() => JSONObject)
  params!: Record<string, unknown>;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => JSONObject, { nullable: true, description: 'String to string, at most 32 keys.' })
  labels?: Record<string, unknown> | null;

  @Field(() => Int, { nullable: true, defaultValue: 50, description: '0 to 100; higher goes first.' })
  priority?: number | null;

  @Field(() => String, { nullable: true })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'Equal submits with one id are one job.' })
  clientRequestId?: string | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 3,
    description: 'Attempts that ended by a retryable cause.',
  })
  maxAttempts?: number | null;

  @Field(() => Int, { nullable: true, description: 'Per attempt; a day when not given.' })
  timeoutSeconds?: number | null;

  @Field(() => Int, { nullable: true, defaultValue: 1 })
  devices?: number | null;

  @Field(() => JSONObject, {
    nullable: true,
    description: '{ labels?, name?, kind?: "gpu" | "cpu", worker?, minMemoryBytes? }',
  })
  deviceSelector?: Record<string, unknown> | null;

  @Field(() => [ID], { nullable: true })
  dependsOn?: string[] | null;
}

@InputType()
export class CancelJobInput {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  reason?: string | null;
}

@InputType()
export class DeleteJobInput {
  @Field(() => ID)
  id!: string;
}

@InputType()
export class JobFilter {
  @Field(() => [JobStatusEnum], { nullable: true })
  status?: (keyof typeof JobStatusEnum)[] | null;

  @Field(() => [String], { nullable: true })
  kind?: string[] | null;

  @Field(() => ID, { nullable: true })
  owner?: string | null;

  @Field(() => JSONObject, { nullable: true, description: 'Every pair must be among the labels.' })
  labels?: Record<string, unknown> | null;

  @Field(() => DateTime, { nullable: true })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true })
  createdBefore?: Date | null;

  @Field(() => String, { nullable: true, description: 'Part of the name, or an id.' })
  text?: string | null;
}

export const JobOrderFieldEnum = {
  CREATED_AT: 'CREATED_AT',
  FINISHED_AT: 'FINISHED_AT',
  PRIORITY: 'PRIORITY',
} as const;
registerEnumType(JobOrderFieldEnum, { name: 'JobOrderField' });
export const DirectionEnum = { ASC: 'ASC', DESC: 'DESC' } as const;
registerEnumType(DirectionEnum, { name: 'Direction' });

@InputType({ description: 'CREATED_AT DESC when not given.' })
export class JobOrder {
  @Field(() => JobOrderFieldEnum)
  field!: keyof typeof JobOrderFieldEnum;

  @Field(() => DirectionEnum)
  direction!: keyof typeof DirectionEnum;
}
