import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { Telemetry } from '@gjm/core/wire/worker-api.js';
import { BytesColumn, IdColumn, PrimaryIdColumn, StampColumn, TimeColumn } from './column.js';

/** One machine's supervisor, known by the instance id in its data folder. */
@Entity('workers')
export class WorkerEntity {
  @PrimaryIdColumn()
  id!: string;
  @Column('text', { name: 'instance_id', unique: true })
  instanceId!: string;
  @Column('text', { name: 'boot_id' })
  bootId!: string;
  @Column('text')
  name!: string;
  @Column('text')
  version!: string;
  @Column('jsonb', { name: 'engine_audit' })
  engineAudit!: EngineAudit[];
  @Column('boolean', { default: false })
  draining!: boolean;
  /** Set while an admin has drained it; it takes nothing new until `drainedUntil`, or until undrained when that is null. */
  @TimeColumn({ name: 'drained_at', nullable: true })
  drainedAt!: Date | null;
  @TimeColumn({ name: 'drained_until', nullable: true })
  drainedUntil!: Date | null;
  @Column('text', { name: 'drain_reason', nullable: true })
  drainReason!: string | null;
  @StampColumn({ name: 'last_seen_at' })
  lastSeenAt!: Date;
  @TimeColumn({ name: 'lease_until' })
  leaseUntil!: Date;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
}

/** What computes: a GPU, a slice of one, a software adapter or the CPU of one worker. */
@Entity('devices')
export class DeviceEntity {
  @PrimaryIdColumn()
  id!: string;
  @IdColumn({ name: 'worker_id' })
  workerId!: string;
  @Column('text')
  uid!: string;
  @Column('text')
  name!: string;
  @Column('text')
  kind!: 'GPU' | 'MIG' | 'SOFTWARE' | 'CPU';
  @Column('jsonb')
  engines!: string[];
  @Column('jsonb')
  labels!: Record<string, string>;
  @BytesColumn({ name: 'memory_bytes', nullable: true })
  memoryBytes!: number | null;
  @BytesColumn({ name: 'memory_free_bytes', nullable: true })
  memoryFreeBytes!: number | null;
  @Column('text')
  health!: string;
  @Column('text', { name: 'health_reason', nullable: true })
  healthReason!: string | null;
  /** False once its worker no longer reports it. */
  @Column('boolean', { default: true })
  present!: boolean;
  /** As for its worker. */
  @TimeColumn({ name: 'drained_at', nullable: true })
  drainedAt!: Date | null;
  @TimeColumn({ name: 'drained_until', nullable: true })
  drainedUntil!: Date | null;
  @Column('text', { name: 'drain_reason', nullable: true })
  drainReason!: string | null;
  /** What its children can run, as "kind" or "kind/tier"; null: what releases knew that do not say. */
  @Column('jsonb', { nullable: true })
  runs!: string[] | null;
  /** Why each engine that it does not offer is not, best engine first. */
  @Column('jsonb', { name: 'engine_audit', default: [] })
  engineAudit!: EngineAudit[];
  @Column('jsonb', { nullable: true })
  telemetry!: Telemetry | null;
  /** Figures of its last `device.benchmark`, by name. */
  @Column('jsonb', { nullable: true })
  benchmark!: Record<string, number> | null;
  @StampColumn({ name: 'created_at' })
  createdAt!: Date;
}

/** A place on a device for one attempt. */
@Entity('slots')
export class SlotEntity {
  @PrimaryIdColumn('device_id')
  deviceId!: string;
  @PrimaryColumn('smallint')
  index!: number;
  @IdColumn({ name: 'attempt_id', nullable: true })
  attemptId!: string | null;
  @IdColumn({ name: 'held_for', nullable: true })
  heldFor!: string | null;
  @TimeColumn({ name: 'held_since', nullable: true })
  heldSince!: Date | null;
  @TimeColumn({ name: 'silent_since', nullable: true })
  silentSince!: Date | null;
  @Column('text', { name: 'probe_id', nullable: true })
  probeId!: string | null;
}

/** The most device memory that attempts of a kind were seen to take. */
@Entity('learned_needs')
export class LearnedNeedEntity {
  @PrimaryColumn('text')
  kind!: string;
  /** Empty for a kind without tiers. */
  @PrimaryColumn('text')
  tier!: string;
  @PrimaryColumn('text')
  engine!: string;
  @BytesColumn({ name: 'peak_bytes' })
  peakBytes!: number;
  @Column('integer', { default: 1 })
  attempts!: number;
  @StampColumn({ name: 'updated_at' })
  updatedAt!: Date;
}

/** The one row that says which installation this database is. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn('boolean', { default: true })
  one!: boolean;
  @Column('text')
  id!: string;
  @Column('text', { name: 'artifact_marker', nullable: true })
  artifactMarker!: string | null;
  @TimeColumn({ name: 'expirer_passed_at', nullable: true })
  expirerPassedAt!: Date | null;
}

export const fleetEntities = [WorkerEntity, DeviceEntity, SlotEntity, LearnedNeedEntity, InstallationEntity];
