import type { Policy } from '../policy/policy.js';
import { engineFor } from './engine.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

/**
 * Soft preference of a job for a device on which it fits, 0 to 1; higher is better. The engine's place in the policy decides first; among
 * equals the device with the larger share of free slots, so that load spreads.
 */
export function scoreOf(job: QueuedJob, device: DeviceState, policy: Policy): number {
  const rank = policy.engineOrder.indexOf(engineFor(job, device, policy) ?? '');
  const engine = 1 - rank / policy.engineOrder.length;
  const free = device.slots.filter((slot) => !slot.attempt).length / device.slots.length;
  return 0.9 * engine + 0.1 * free;
}
