import type { DeviceRecord, SlotRecord, WorkerRecord } from '../../application/records.js';
import { DeviceHealth, DeviceSlotType, DeviceType, EngineAuditType, WorkerType } from './device.type.js';

export const toWorker = ({ id, name, version, online, lastSeenAt, engineAudit }: WorkerRecord): WorkerType =>
  Object.assign(new WorkerType(), {
    id,
    name,
    version,
    online,
    lastSeenAt,
    engineAudit: engineAudit.map((audit) => Object.assign(new EngineAuditType(), audit)),
  });

const toSlot = (slot: SlotRecord): DeviceSlotType => Object.assign(new DeviceSlotType(), slot);

/** A health that this version does not know is shown as UNKNOWN, with its own word as reason. */
export const toDevice = (record: DeviceRecord): DeviceType => {
  const health = DeviceHealth[record.health as keyof typeof DeviceHealth] ?? DeviceHealth.UNKNOWN;
  return Object.assign(new DeviceType(), { ...record, health, slots: record.slots.map(toSlot) });
};
