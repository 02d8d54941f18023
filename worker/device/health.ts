import type { DeviceReport, HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import type { FoundDevice } from './probe.js';

/** What the health of a device is judged by: the state of its slots. */
export interface SlotHealth {
  uid: string;
  /** Null while nothing is wrong. `DIRTY`: processes of an ended attempt could not be ended. */
  trouble: { health: 'UNKNOWN' | 'DIRTY'; reason: string } | null;
}

/**
 * A device's part of a beat. One bad slot closes its device: what made its child fail is likely to hit the others, and a group that would
 * not go away still holds the device.
 */
export function deviceHealth(device: FoundDevice, slots: SlotHealth[]): HeartbeatRequest['devices'][number] {
  const troubles = slots.filter((slot) => slot.uid === device.uid).flatMap((slot) => slot.trouble ?? []);
  const worst = troubles.find((trouble) => trouble.health === 'DIRTY') ?? troubles[0];
  return {
    uid: device.uid,
    memoryFreeBytes: device.freeBytes(),
    health: worst?.health ?? 'OK',
    healthReason: worst?.reason.slice(0, 500) ?? null,
    telemetry: null,
  };
}

/** A device as hello names it. `engines` are those that passed their self-test in a real child. */
export function deviceReport(device: FoundDevice, slots: SlotHealth[], engines: string[]): DeviceReport {
  const { name, kind, memoryBytes, labels } = device;
  return {
    name,
    kind,
    engines,
    slots: device.slots,
    memoryBytes,
    labels,
    runs: null,
    engineAudit: [],
    ...deviceHealth(device, slots),
  };
}
