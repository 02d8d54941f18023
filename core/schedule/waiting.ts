import type { Policy } from '../policy/policy.js';
import { blockOf, couldTake, type Block, type WaitCode } from './constraints.js';
import { estimateStart } from './estimate.js';
import { fallbackBlock } from './fallback.js';
import { groupsFor } from './groups.js';
import { compareJobs } from './order.js';
import { reservedBlock, reserveFor, type Reservation } from './reservation.js';
import type { DeviceState, QueuedJob, Snapshot } from './snapshot.js';

/** One thing that keeps a job waiting, and the devices it is about. */
export interface WaitReason {
  code: WaitCode;
  message: string;
  deviceIds: string[];
}

export interface Waiting {
  /** Place in line among all queued jobs, from 1. */
  position: number;
  /** Until it starts, where there is something to estimate from. */
  etaSeconds: number | null;
  reasons: WaitReason[];
}

/** Devices and line at one moment, the line in order. */
export interface Picture {
  at: number;
  devices: DeviceState[];
  line: QueuedJob[];
  reservation: Reservation | null;
}

export function pictureOf({ at, devices, jobs }: Snapshot, policy: Policy): Picture {
  const line = [...jobs].sort(compareJobs);
  let reservation: Reservation | null = null;
  for (const job of line) if ((reservation = reserveFor(job, devices, policy, at))) break;
  return { at, devices, line, reservation };
}

/** Everything that blocks a queued job, by the same constraints and order that place jobs. It need not be in the picture's line itself. */
export function explainWaiting(picture: Picture, job: QueuedJob, policy: Policy): Waiting {
  const ahead = countAhead(picture.line, job);
  const etaSeconds = estimateStart(picture, ahead, job);
  return { position: ahead + 1, etaSeconds, reasons: reasonsOf(job, ahead, picture, policy) };
}

/** A job that was placed and whose worker is picking it up: it still counts as queued. */
export const dispatchedWaiting: Waiting = {
  position: 1,
  etaSeconds: 0,
  reasons: [{ code: 'DISPATCHED', message: 'It was placed and its worker is picking it up.', deviceIds: [] }],
};

/** How many of the ordered line come before the job, by bisection. */
function countAhead(line: readonly QueuedJob[], job: QueuedJob): number {
  let low = 0;
  let high = line.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareJobs(line[middle]!, job) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function reasonsOf(job: QueuedJob, ahead: number, snapshot: Picture, policy: Policy): WaitReason[] {
  const reasons: WaitReason[] = [];
  if (job.notBefore !== null && job.notBefore > snapshot.at) {
    const seconds = Math.ceil((job.notBefore - snapshot.at) / 1000);
    reasons.push({
      code: 'RETRY_BACKOFF',
      message: `The next try starts in about ${seconds} s.`,
      deviceIds: [],
    });
  }
  if (!snapshot.devices.some((device) => device.online))
    return [...reasons, { code: 'NO_WORKER', message: 'No worker is online.', deviceIds: [] }];
  const blocks = snapshot.devices.map((device) => ({
    device,
    block:
      blockOf(job, device) ??
      reservedBlock(job, device, snapshot.reservation) ??
      fallbackBlock(job, device, snapshot.devices, policy, snapshot.at),
  }));
  const codes = new Set(blocks.flatMap(({ block }) => (block ? [block.code] : [])));
  for (const code of codes) {
    const about = blocks.filter(({ block }) => block?.code === code);
    const first = about[0]?.block?.message ?? '';
    const message = about.length > 1 ? `${first} The same holds for ${about.length - 1} more.` : first;
    reasons.push({ code, message, deviceIds: about.map(({ device }) => device.id) });
  }
  const tooFew = job.devices > 1 ? tooFewTogether(job, blocks) : null;
  if (tooFew) reasons.push(tooFew);
  if (ahead > 0 && !isHopeless(codes))
    reasons.push({
      code: 'PRIORITY',
      message: `${ahead} ${ahead === 1 ? 'job is' : 'jobs are'} ahead in line.`,
      deviceIds: [],
    });
  return reasons;
}

/** Why devices of which each could take it do not do together; null when no machine has enough of them that could. */
function tooFewTogether(
  job: QueuedJob,
  blocks: { device: DeviceState; block: Block | null }[],
): WaitReason | null {
  const able = blocks.filter(({ device }) => couldTake(job, device));
  const groups = groupsFor(job, able).sort((a, b) => b.length - a.length);
  const [largest] = groups;
  if (!largest) return null;
  const about = (code: WaitCode, message: string, group: typeof able): WaitReason => ({
    code,
    message,
    deviceIds: group.map(({ device }) => device.id),
  });
  if (largest.length < job.devices)
    return about(
      'NO_WORKER',
      `No worker has ${job.devices} devices of one sort that could take it; ${largest[0]?.device.workerName} has ${largest.length}.`,
      largest,
    );
  const openOf = (group: typeof able): number => group.filter(({ block }) => !block).length;
  const [nearest] = groups
    .filter((group) => group.length >= job.devices)
    .sort((a, b) => openOf(b) - openOf(a));
  if (!nearest || openOf(nearest) >= job.devices) return null;
  return about(
    'DEVICE_BUSY',
    `It needs ${job.devices} devices of one worker at once; ${openOf(nearest)} of ${nearest.length} are free on ${nearest[0]?.device.workerName}.`,
    nearest,
  );
}

/** No device could ever take it, however short the line. */
const isHopeless = (codes: Set<WaitCode>): boolean =>
  codes.size > 0 && [...codes].every((code) => code === 'NO_ENGINE' || code === 'SELECTOR');
