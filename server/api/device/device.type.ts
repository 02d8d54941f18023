import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Node } from '../node.type.js';
import { BigIntScalar } from '../scalars/big-int.js';
import { DateTime } from '../scalars/date-time.js';
import { JSONObject } from '../scalars/json-object.js';

export const DeviceKind = { GPU: 'GPU', MIG: 'MIG', SOFTWARE: 'SOFTWARE', CPU: 'CPU' } as const;
registerEnumType(DeviceKind, { name: 'DeviceKind' });

export const DeviceHealth = {
  OK: 'OK',
  BUSY_ELSEWHERE: 'BUSY_ELSEWHERE',
  DIRTY: 'DIRTY',
  UNKNOWN: 'UNKNOWN',
  LOST: 'LOST',
  DRAINING: 'DRAINING',
  NOT_ANSWERING: 'NOT_ANSWERING',
} as const;
export type DeviceHealth = keyof typeof DeviceHealth;
registerEnumType(DeviceHealth, { name: 'DeviceHealth', description: 'Only a device that is OK is offered.' });

@ObjectType('EngineAudit', { simpleResolvers: true, description: 'What became of one engine on a worker.' })
export class EngineAuditType {
  @Field(() => String)
  engine!: string;

  @Field(() => Boolean)
  offered!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'For a skipped engine, why: CUDA_PKG_ABSENT, CUDA_CPU_ONLY, WEBGPU_NO_ADAPTER, WEBGPU_SOFTWARE_ONLY, SELFTEST_MISMATCH, KERNEL_MISSING…',
  })
  code!: string | null;

  @Field(() => String)
  message!: string;

  @Field(() => String, { nullable: true })
  version!: string | null;
}

@ObjectType('DeviceTelemetry', {
  simpleResolvers: true,
  description: 'What the driver said last; null where it does not tell.',
})
export class DeviceTelemetryType {
  @Field(() => Float, {
    nullable: true,
    description: 'Share of the last moments in which it computed, 0 to 1.',
  })
  utilisation!: number | null;

  @Field(() => BigIntScalar, { nullable: true })
  memoryUsedBytes!: number | null;

  @Field(() => Float, { nullable: true })
  temperatureCelsius!: number | null;

  @Field(() => Float, { nullable: true })
  powerWatts!: number | null;
}

@ObjectType('Drain', { simpleResolvers: true, description: 'What runs goes on; nothing new is placed.' })
export class DrainType {
  @Field(() => DateTime)
  since!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it ends by itself; null: when somebody ends it.',
  })
  until!: Date | null;

  @Field(() => String, { nullable: true })
  reason!: string | null;
}

@ObjectType('Worker', { implements: Node, simpleResolvers: true, description: "One machine's supervisor." })
export class WorkerType extends Node {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  version!: string;

  @Field(() => Boolean, { description: 'Its lease is in the future.' })
  online!: boolean;

  @Field(() => DateTime)
  lastSeenAt!: Date;

  @Field(() => [EngineAuditType])
  engineAudit!: EngineAuditType[];

  @Field(() => DrainType, { nullable: true, description: 'Set while an ADMIN has drained all of it.' })
  drain!: DrainType | null;
}

@ObjectType('DeviceSlot', {
  simpleResolvers: true,
  description: 'A place on a device for one attempt, and who has it. Of which job is not told.',
})
export class DeviceSlotType {
  @Field(() => Int)
  index!: number;

  @Field(() => String, { nullable: true, description: 'Null while it is free.' })
  holderName!: string | null;

  @Field(() => DateTime, { nullable: true })
  busySince!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'What is left by the progress of what runs there, if known.',
  })
  etaSeconds!: number | null;
}

@ObjectType('Device', {
  implements: Node,
  simpleResolvers: true,
  description: 'A GPU, a slice of one, a software adapter, or a CPU.',
})
export class DeviceType extends Node {
  /** Resolved to `worker` when asked for. */
  workerId!: string;

  @Field(() => String, { description: 'Opaque; names the device from end to end.' })
  uid!: string;

  @Field(() => String)
  name!: string;

  @Field(() => DeviceKind)
  kind!: keyof typeof DeviceKind;

  @Field(() => [String], { description: 'Engines that passed their self-test on it.' })
  engines!: string[];

  @Field(() => DeviceHealth)
  health!: DeviceHealth;

  @Field(() => String, { nullable: true })
  healthReason!: string | null;

  @Field(() => BigIntScalar, { nullable: true })
  memoryBytes!: number | null;

  @Field(() => BigIntScalar, { nullable: true })
  memoryFreeBytes!: number | null;

  @Field(() => DrainType, {
    nullable: true,
    description: 'Set while an ADMIN has drained this device alone.',
  })
  drain!: DrainType | null;

  @Field(() => [EngineAuditType], {
    description: 'Why each engine that it does not offer is not, best engine first.',
  })
  engineAudit!: EngineAuditType[];

  @Field(() => [String], {
    nullable: true,
    description: 'What it can run, as kind or kind/tier; null: its worker is of a release that did not say.',
  })
  runs!: string[] | null;

  @Field(() => DeviceTelemetryType, { nullable: true })
  telemetry!: DeviceTelemetryType | null;

  @Field(() => JSONObject, {
    nullable: true,
    description: 'Figures of its last device.benchmark, by name.',
  })
  benchmark!: Record<string, number> | null;

  @Field(() => [DeviceSlotType])
  slots!: DeviceSlotType[];
}
