import type { DeviceState, QueuedJob } from './snapshot.js';

/** The best engine of the job's plan, which is in the policy's order, that the device offers. */
export const engineFor = (job: QueuedJob, device: DeviceState): string | undefined =>
  job.engines.find((engine) => device.engines.includes(engine));
