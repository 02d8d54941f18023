import type { Policy } from '../policy/policy.js';
import { couldTake, type Block } from './constraints.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

const isGpu = ({ kind }: DeviceState): boolean => kind === 'GPU' || kind === 'MIG';

/**
 * Engine order comes first: a CPU (or an adapter in software) takes a job only when no GPU of the fleet could, were it well and free, or when
 * the job has waited as long as the policy says: a GPU that restarts or is being checked for a moment must not send its line to the CPUs. What
 * keeps such a device from the job until then, or null.
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
    message: `${device.name} is slower than ${better.name}, which is not free now: it is used in ${seconds} s.`,
  };
}

/** Whether placing a job on these devices is a fallback: a GPU could have taken it, had it been well and free. */
export const isFallback = (
  job: QueuedJob,
  chosen: readonly DeviceState[],
  fleet: readonly DeviceState[],
): boolean =>
  chosen.some((device) => !isGpu(device)) && fleet.some((other) => isGpu(other) && couldTake(job, other));
