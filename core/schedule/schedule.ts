import type { Policy } from '../policy/policy.js';
import { blockOf, type Block } from './constraints.js';
import { engineFor } from './engine.js';
import { fallbackBlock, isFallback } from './fallback.js';
import { groupsFor } from './groups.js';
import { memoryNeeded } from './memory.js';
import { compareJobs } from './order.js';
import { reservedBlock, reserveFor, type Reservation } from './reservation.js';
import { scoreOf } from './score.js';
import type { DeviceState, QueuedJob, Snapshot } from './snapshot.js';

/** How one device looked to one job when it was decided. */
export interface Candidate {
  deviceId: string;
  deviceName: string;
  workerName: string;
  /** Null when nothing blocks it. */
  block: Block | null;
  /** Higher is better; null when blocked. */
  score: number | null;
}

/** A place that an attempt gets. */
export interface PlacedSlot {
  deviceId: string;
  slotIndex: number;
}

/** A job gets its slots: one on each of as many devices of one worker as it asked for, all or none. */
export interface Placement {
  jobId: string;
  attempt: number;
  workerId: string;
  /** The first is the one whose queue brings the attempt to its worker. */
  slots: PlacedSlot[];
  engine: string;
  tier: string | null;
  candidates: Candidate[];
  summary: string;
}

/**
 * Places queued jobs on free slots, in line order. Pure: the same snapshot and policy give the same placements. A placed job takes its
 * slot and its memory from those behind it.
 */
export function schedule(snapshot: Snapshot, policy: Policy): Placement[] {
  const devices = snapshot.devices.map((device) => ({
    ...device,
    slots: device.slots.map((slot) => ({ ...slot })),
  }));
  const placements: Placement[] = [];
  let reservation: Reservation | null = null;
  for (const job of [...snapshot.jobs].sort(compareJobs)) {
    if (job.notBefore !== null && job.notBefore > snapshot.at) continue;
    const placement = place(job, { devices, reservation, at: snapshot.at }, policy);
    if (placement) placements.push(placement);
    else reservation ??= reserveFor(job, devices, policy, snapshot.at);
  }
  return placements;
}

/** What is left of the fleet for the next job in line. */
interface Rest {
  devices: DeviceState[];
  /** One at a time, for the first in line that needs it: more would leave much of a fleet idle. */
  reservation: Reservation | null;
  at: number;
}

function place(job: QueuedJob, { devices, reservation, at }: Rest, policy: Policy): Placement | null {
  const candidates = devices.map((device): Candidate => {
    const block =
      blockOf(job, device) ??
      reservedBlock(job, device, reservation) ??
      fallbackBlock(job, device, devices, policy, at);
    const score = block ? null : scoreOf(job, device);
    return { deviceId: device.id, deviceName: device.name, workerName: device.workerName, block, score };
  });
  const chosen = chooseDevices(job, devices, candidates);
  const [first] = chosen;
  const engine = first && engineFor(job, first);
  if (!first || !engine) return null;
  const fallback = isFallback(job, chosen, devices);
  return {
    jobId: job.id,
    attempt: job.nextAttempt,
    workerId: first.workerId,
    slots: chosen.map((device) => takeSlot(job, device)),
    engine,
    tier: job.tier,
    candidates,
    summary:
      summaryOf(chosen, engine, candidates) + (fallback ? ' A fallback: no GPU was free in time.' : ''),
  };
}

/** The best of the open devices; of several, the best of the group that has enough of them and the best first one. Empty: it waits. */
function chooseDevices(job: QueuedJob, devices: DeviceState[], candidates: Candidate[]): DeviceState[] {
  const open = devices
    .map((device, index) => ({ device, score: candidates[index]?.score ?? null }))
    .filter((it): it is { device: DeviceState; score: number } => it.score !== null)
    .sort((a, b) => b.score - a.score);
  const whole = groupsFor(job, open).find((group) => group.length >= job.devices) ?? [];
  return whole.slice(0, job.devices).map(({ device }) => device);
}

/** Takes a free slot and its memory away from the jobs behind. */
function takeSlot(job: QueuedJob, device: DeviceState): PlacedSlot {
  const slot = device.slots.find((it) => !it.attempt && !it.held && !it.silent);
  if (!slot) throw new Error(`Device ${device.id} is open but has no free slot.`);
  slot.attempt = { id: job.id, ownerName: 'another user', ranSeconds: null, etaSeconds: null };
  if (device.memoryFreeBytes !== null) device.memoryFreeBytes -= memoryNeeded(job, device);
  return { deviceId: device.id, slotIndex: slot.index };
}

function summaryOf(chosen: DeviceState[], engine: string, candidates: Candidate[]): string {
  const fit = candidates.filter(({ block }) => !block).length;
  const seen = candidates.length;
  const names = chosen.map(({ name }) => name).join(', ');
  const placed = `Placed on ${names} of ${chosen[0]?.workerName} with ${engine}`;
  if (chosen.length > 1)
    return `${placed}: ${chosen.length} devices at once, of ${fit} open to it among ${seen}.`;
  const others =
    seen === 1
      ? 'the only device'
      : fit === 1
        ? `the only one of ${seen} devices that is open to it`
        : `the best of ${fit} open to it, of ${seen} devices`;
  return `${placed}: ${others}.`;
}
