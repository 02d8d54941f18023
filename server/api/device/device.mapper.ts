import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { DeviceRecord, SlotRecord, WorkerRecord } from '../../application/records.js';
import {
  DeviceHealth,
  DeviceSlotType,
  DeviceTelemetryType,
  DeviceType,
  DrainType,
  EngineAuditType,
  WorkerType,
} from './device.type.js';

const toAudit = (audit: EngineAudit): EngineAuditType => Object.assign(new EngineAuditType(), audit);

type Drained = Pick<DeviceRecord, 'drainedAt' | 'drainedUntil' | 'drainReason'>;

const toDrain = ({ drainedAt, drainedUntil, drainReason }: Drained): DrainType | null =>
  drainedAt && Object.assign(new DrainType(), { since: drainedAt, until: drainedUntil, reason: drainReason });

export const toWorker = (record: WorkerRecord): WorkerType => {
  const { id, name, version, online, lastSeenAt, engineAudit } = record;
  return Object.assign(new WorkerType(), {
    ...{ id, name, version, online, lastSeenAt },
    engineAudit: engineAudit.map(toAudit),
    drain: toDrain(record),
  });
};

const toSlot = (slot: SlotRecord): DeviceSlotType => Object.assign(new DeviceSlotType(), slot);

/** A health that this version does not know is shown as UNKNOWN, with its own word as reason. */
export const toDevice = (record: DeviceRecord): DeviceType => {
  const health = DeviceHealth[record.health as keyof typeof DeviceHealth] ?? DeviceHealth.UNKNOWN;
  return Object.assign(new DeviceType(), {
    ...record,
    health,
    slots: record.slots.map(toSlot),
    engineAudit: record.engineAudit.map(toAudit),
    telemetry: record.telemetry && Object.assign(new DeviceTelemetryType(), record.telemetry),
    drain: toDrain(record),
  });
};
