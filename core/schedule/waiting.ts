import { blockOf, type WaitCode } from './constraints.js';
import { compareJobs } from './order.js';
import type { QueuedJob, Snapshot } from './snapshot.js';

/** One thing that keeps a job waiting, and the devices it is about. */
export interface WaitReason {
  code: WaitCode;
  message: string;
  deviceIds: string[];
}

export interface Waiting {
  /** Place in line among all queued jobs, from 1. */
  position: number;
  etaSeconds: number | null;
  reasons: WaitReason[];
}

/**
 * Everything that blocks a queued job, from the same snapshot and constraints that place jobs. `isDispatched`: its message is on the way to
 * a worker. Null when the job is not in the snapshot.
 */
export function explainWaiting(
  snapshot: Snapshot,
  jobId: string,
  isDispatched: boolean,
): Waiting | null {
  const line = [...snapshot.jobs].sort(compareJobs);
  const index = line.findIndex((job) => job.id === jobId);
  if (isDispatched)
    return {
      position: 1,
      etaSeconds: 0,
      reasons: [{ code: 'DISPATCHED', message: 'It was placed and its worker is picking it up.', deviceIds: [] }],
    };
  const job = line[index];
  if (!job) return null;
  return { position: index + 1, etaSeconds: null, reasons: reasonsOf(job, index, snapshot) };
}

function reasonsOf(job: QueuedJob, ahead: number, snapshot: Snapshot): WaitReason[] {
  const reasons: WaitReason[] = [];
  if (job.notBefore !== null && job.notBefore > snapshot.at) {
    const seconds = Math.ceil((job.notBefore - snapshot.at) / 1000);
    reasons.push({ code: 'RETRY_BACKOFF', message: `The next try starts in about ${seconds} s.`, deviceIds: [] });
  }
  if (!snapshot.devices.some((device) => device.online))
    return [...reasons, { code: 'NO_WORKER', message: 'No worker is online.', deviceIds: [] }];
  const blocks = snapshot.devices.map((device) => ({ device, block: blockOf(job, device) }));
  const codes = new Set(blocks.flatMap(({ block }) => (block ? [block.code] : [])));
  for (const code of codes) {
    const about = blocks.filter(({ block }) => block?.code === code);
    const first = about[0]?.block?.message ?? '';
    const message = about.length > 1 ? `${first} The same holds for ${about.length - 1} more.` : first;
    reasons.push({ code, message, deviceIds: about.map(({ device }) => device.id) });
  }
  if (ahead > 0 && !isHopeless(codes))
    reasons.push({
      code: 'PRIORITY',
      message: `${ahead} ${ahead === 1 ? 'job is' : 'jobs are'} ahead in line.`,
      deviceIds: [],
    });
  return reasons;
}

/** No device could ever take it, however short the line. */
const isHopeless = (codes: Set<WaitCode>): boolean =>
  codes.size > 0 && [...codes].every((code) => code === 'NO_ENGINE' || code === 'SELECTOR');
