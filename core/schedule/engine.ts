import type { Policy } from '../policy/policy.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

/** The best engine, in policy order, that both the job's plan allows and the device offers. */
export function engineFor(job: QueuedJob, device: DeviceState, policy: Policy): string | undefined {
  return policy.engineOrder.find((engine) => job.engines.includes(engine) && device.engines.includes(engine));
}
