import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { DeviceReport, HeartbeatRequest, Telemetry } from '@gjm/core/wire/worker-api.js';
import { engineAuditOf } from './engine-audit.js';
import type { Health } from './gpu-record.js';
import type { FoundDevice } from './probe.js';

type HealthReport = HeartbeatRequest['devices'][number];

/** What the health of a device is judged by, besides what its probe says: the state of its slots. */
export interface SlotHealth {
  uid: string;
  /** Null while nothing is wrong. `DIRTY`: processes of an ended attempt could not be ended. */
  trouble: { health: 'UNKNOWN' | 'DIRTY'; reason: string } | null;
}

/** From what nothing can be done about to what is only a matter of patience. */
const worstFirst: readonly Health['health'][] = ['LOST', 'DIRTY', 'UNKNOWN', 'BUSY_ELSEWHERE'];

/**
 * A device's part of a beat: the worst of what its probe (null: it has none) and its own slots say. One bad slot closes its device: what made
 * its child fail is likely to hit the others, and a group that would not go away still holds the device.
 */
export function deviceHealth(
  device: FoundDevice,
  slots: readonly SlotHealth[],
  probed: (Health & { telemetry: Telemetry | null }) | null,
): HealthReport {
  const said: Health[] = [
    // They know better why a self-test has not been passed.
    ...slots.flatMap(({ trouble }) =>
      trouble ? { health: trouble.health, healthReason: trouble.reason } : [],
    ),
    ...(probed ? [probed] : []),
  ];
  const worst = worstFirst.flatMap((health) => said.find((one) => one.health === health) ?? [])[0];
  const { health, healthReason } = worst ?? probed ?? { health: 'OK', healthReason: null };
  return {
    uid: device.uid,
    memoryFreeBytes: device.freeBytes(),
    health,
    healthReason: healthReason?.slice(0, 500) ?? null,
    telemetry: probed?.telemetry ?? null,
  };
}

/**
 * A device as hello names it. `engine` is the one that passed its self-test in a real child, null when none did; `tried` is what its
 * children said of all.
 */
export function deviceReport(
  device: FoundDevice,
  health: HealthReport,
  { engine, tried, runs }: { engine: string | null; tried: readonly EngineAudit[]; runs: string[] },
): DeviceReport {
  const { name, kind, slots, memoryBytes, labels } = device;
  return {
    ...{ name, kind, slots, memoryBytes, labels, runs },
    engines: engine === null ? [] : [engine],
    engineAudit: engineAuditOf(device, tried, engine),
    ...health,
  };
}
