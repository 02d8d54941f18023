import type { Policy } from '../policy/policy.js';
import { blockOf, type Block } from './constraints.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

const isGpu = ({ kind }: DeviceState): boolean => kind === 'GPU' || kind === 'MIG';

/**
 * Engine order comes first: a CPU (or an adapter in software) takes a job only when no GPU of the fleet could, were it free, or when the job
 * has waited as long as the policy says. What keeps such a device from the job until then, or null.
 * @param at ms since the epoch, database clock
 */
export function fallbackBlock(
  job: QueuedJob,
  device: DeviceState,
  fleet: readonly DeviceState[],
  policy: Policy,
  at: number,
): Block | null {
  if (isGpu(device) || at - job.createdAt >= policy.fallbackAfterMs) return null;
  const better = fleet.find((other) => isGpu(other) && couldTake(job, other));
  if (!better) return null;
  const seconds = Math.ceil((policy.fallbackAfterMs - (at - job.createdAt)) / 1_000);
  return {
    code: 'FALLBACK',
    message: `${device.name} is slower than ${better.name}, which is taken: it is used in ${seconds} s.`,
  };
}

/** Whether placing a job here was a fallback: a GPU could have taken it, had it been free. */
export const isFallback = (job: QueuedJob, device: DeviceState, fleet: readonly DeviceState[]): boolean =>
  !isGpu(device) && fleet.some((other) => isGpu(other) && couldTake(job, other));

/** Nothing but its being in use stands between them. */
function couldTake(job: QueuedJob, device: DeviceState): boolean {
  const block = blockOf(job, device);
  return block === null || block.code === 'DEVICE_BUSY' || block.code === 'NO_MEMORY';
}
