import type { DeviceState, QueuedJob } from './snapshot.js';

/**
 * Devices that one attempt may hold together, in lists: those of one worker and one sort. Of slices of a GPU a process can use one only, so they
 * stand alone when the job wants several.
 */
export function groupsFor<T extends { device: DeviceState }>(job: QueuedJob, devices: readonly T[]): T[][] {
  if (job.devices === 1) return devices.map((one) => [one]);
  const groups = new Map<string, T[]>();
  for (const one of devices) {
    if (one.device.kind === 'MIG') continue;
    const key = `${one.device.workerId} ${one.device.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
