import type { Policy } from '../policy/policy.js';
import { blockOf, couldTake, type Block, type WaitCode } from './constraints.js';
import { groupsFor } from './groups.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

/** Devices that are kept for a job which has waited too long for all that it needs at once. */
export interface Reservation {
  jobId: string;
  deviceIds: ReadonlySet<string>;
}

/**
 * What to keep for a job that did not fit now; nothing before it is as old as the policy says. For one device: that where a slot is free but not
 * the memory, with the most of it, since jobs behind it with less need would take that again and again. (A device that is only busy needs no
 * keeping: the next one to be free is the first in line's.) For several: the group that could hold it of which the most are open. Jobs behind it
 * do not get these, so that they run empty.
 */
export function reserveFor(
  job: QueuedJob,
  devices: readonly DeviceState[],
  policy: Policy,
  at: number,
): Reservation | null {
  if (at - job.createdAt < policy.reserveAfterMs) return null;
  const able = devices
    .filter((device) => device.online && device.health === 'OK' && couldTake(job, device))
    .map((device) => ({ device, code: blockOf(job, device)?.code ?? null }));
  const kept = job.devices > 1 ? groupNearest(job, able) : mostMemory(able);
  return kept && { jobId: job.id, deviceIds: new Set(kept.map(({ device }) => device.id)) };
}

/** A device that could take the job but for what it is short of now, if it is. */
interface Able {
  device: DeviceState;
  code: WaitCode | null;
}

function mostMemory(able: readonly Able[]): Able[] | null {
  const short = able.filter(({ code }) => code === 'NO_MEMORY');
  const free = ({ device }: Able): number => device.memoryFreeBytes ?? 0;
  const [best] = [...short].sort((a, b) => free(b) - free(a));
  return best && short.length === able.length ? [best] : null;
}

function groupNearest(job: QueuedJob, able: readonly Able[]): Able[] | null {
  const openFirst = (a: Able, b: Able): number => Number(b.code === null) - Number(a.code === null);
  const openOf = (group: Able[]): number => group.filter(({ code }) => code === null).length;
  const [best] = groupsFor(job, able)
    .filter((group) => group.length >= job.devices)
    .sort((a, b) => openOf(b) - openOf(a));
  return best ? [...best].sort(openFirst).slice(0, job.devices) : null;
}

/** What keeps a device from a job because it is kept for another one, or null. */
export function reservedBlock(
  job: QueuedJob,
  device: DeviceState,
  reservation: Reservation | null,
): Block | null {
  if (!reservation || reservation.jobId === job.id || !reservation.deviceIds.has(device.id)) return null;
  return {
    code: 'RESERVED_FOR_OTHER',
    message: `${device.name} is kept for a job that has waited long for several devices or much memory.`,
  };
}
