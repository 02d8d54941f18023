import { engineFor } from './engine.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

/** A figure that was seen on a larger device asks for this much of a smaller one at most. */
const mostOfDevice = 0.9;

/** Memory one attempt takes of this device, in bytes: what was seen with its engine, else what the plan says. */
export function memoryNeeded(job: QueuedJob, device: DeviceState): number {
  const engine = engineFor(job, device);
  const seen = engine === undefined ? undefined : job.seenBytes[engine];
  if (seen === undefined) return job.memoryBytes;
  return Math.min(seen, mostOfDevice * (device.memoryBytes ?? Infinity));
}
