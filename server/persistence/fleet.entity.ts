import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
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

export const fleetEntities = [WorkerEntity, DeviceEntity, SlotEntity, InstallationEntity];
