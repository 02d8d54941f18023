import { engineFor } from './engine.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

/**
 * Soft preference of a job for a device on which it fits, 0 to 1; higher is better. The engine's place in the job's plan decides first. Among
 * equals the smallest device, so that large ones stay free for what needs them, then the one with the larger share of free slots, so that
 * load spreads.
 */
export function scoreOf(job: QueuedJob, device: DeviceState): number {
  const rank = job.engines.indexOf(engineFor(job, device) ?? '');
  const engine = 1 - rank / job.engines.length;
  // Half at 64 GB; what does not say its size counts as small.
  const size = 1 / (1 + (device.memoryBytes ?? 0) / 64e9);
  const free = device.slots.filter((slot) => !slot.attempt).length / device.slots.length;
  return 0.8 * engine + 0.1 * size + 0.1 * free;
}
