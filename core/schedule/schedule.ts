import type { Policy } from '../policy/policy.js';
import { blockOf, type Block } from './constraints.js';
import { engineFor } from './engine.js';
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

/** A job gets a slot. */
export interface Placement {
  jobId: string;
  attempt: number;
  deviceId: string;
  workerId: string;
  slotIndex: number;
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
    const placement = place(job, devices, policy);
    if (placement) placements.push(placement);
  }
  return placements;
}

function place(job: QueuedJob, devices: DeviceState[], policy: Policy): Placement | null {
  const candidates = devices.map((device): Candidate => {
    const block = blockOf(job, device);
    const score = block ? null : scoreOf(job, device, policy);
    return { deviceId: device.id, deviceName: device.name, workerName: device.workerName, block, score };
  });
  let best = -1;
  candidates.forEach(({ score }, index) => {
    if (score !== null && (best < 0 || score > (candidates[best]?.score ?? 0))) best = index;
  });
  const device = devices[best];
  const slot = device?.slots.find((it) => !it.attempt && !it.held && !it.silent);
  const engine = device && engineFor(job, device, policy);
  if (!device || !slot || !engine) return null;
  slot.attempt = { id: job.id, ownerName: 'another user', ranSeconds: null, etaSeconds: null };
  if (device.memoryFreeBytes !== null) device.memoryFreeBytes -= job.memoryBytes;
  return {
    jobId: job.id,
    attempt: job.nextAttempt,
    deviceId: device.id,
    workerId: device.workerId,
    slotIndex: slot.index,
    engine,
    tier: job.tier,
    candidates,
    summary: summaryOf(device, engine, candidates),
  };
}

function summaryOf(device: DeviceState, engine: string, candidates: Candidate[]): string {
  const fit = candidates.filter(({ block }) => !block).length;
  const seen = candidates.length;
  const others =
    seen === 1
      ? 'the only device'
      : fit === 1
        ? `the only one of ${seen} devices that is open to it`
        : `the best of ${fit} open to it, of ${seen} devices`;
  return `Placed on ${device.name} of ${device.workerName} with ${engine}: ${others}.`;
}
