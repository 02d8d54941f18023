import type { Policy } from '../policy/policy.js';
import { blockOf, type Block } from './constraints.js';
import { engineFor } from './engine.js';
import { fallbackBlock, isFallback } from './fallback.js';
import { memoryNeeded } from './memory.js';
import { compareJobs } from './order.js';
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
  for (const job of [...snapshot.jobs].sort(compareJobs)) {
    if (job.notBefore !== null && job.notBefore > snapshot.at) continue;
    const placement = place(job, devices, policy, snapshot.at);
    if (placement) placements.push(placement);
  }
  return placements;
}

function place(job: QueuedJob, devices: DeviceState[], policy: Policy, at: number): Placement | null {
  const candidates = devices.map((device): Candidate => {
    const block = blockOf(job, device) ?? fallbackBlock(job, device, devices, policy, at);
    const score = block ? null : scoreOf(job, device);
    return { deviceId: device.id, deviceName: device.name, workerName: device.workerName, block, score };
  });
  const chosen = chooseDevices(job, devices, candidates);
  const [first] = chosen;
  const engine = first && engineFor(job, first);
  if (!first || !engine) return null;
  const fallback = isFallback(job, first, devices);
  return {
    jobId: job.id,
    attempt: job.nextAttempt,
    workerId: first.workerId,
    slots: chosen.map((device) => takeSlot(job, device, engine)),
    engine,
    tier: job.tier,
    candidates,
    summary:
      summaryOf(chosen, engine, candidates) + (fallback ? ' A fallback: no GPU was free in time.' : ''),
  };
}

/** The best of the open devices; of several, the best ones of the worker that has enough of them and the best first one. Empty: it waits. */
function chooseDevices(job: QueuedJob, devices: DeviceState[], candidates: Candidate[]): DeviceState[] {
  const open = devices
    .map((device, index) => ({ device, score: candidates[index]?.score ?? null }))
    .filter((it): it is { device: DeviceState; score: number } => it.score !== null)
    .sort((a, b) => b.score - a.score);
  for (const { device } of open) {
    const mates = open.filter((it) => it.device.workerId === device.workerId).map((it) => it.device);
    if (mates.length >= job.devices) return mates.slice(0, job.devices);
  }
  return [];
}

/** Takes a free slot and its memory away from the jobs behind. */
function takeSlot(job: QueuedJob, device: DeviceState, engine: string): PlacedSlot {
  const slot = device.slots.find((it) => !it.attempt && !it.held && !it.silent);
  if (!slot) throw new Error(`Device ${device.id} is open but has no free slot.`);
  slot.attempt = { id: job.id, ownerName: 'another user', ranSeconds: null, etaSeconds: null };
  if (device.memoryFreeBytes !== null) device.memoryFreeBytes -= memoryNeeded(job, engine);
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
