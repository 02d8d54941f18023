import { runName, runsBefore } from '../workload/runnable.js';
import { engineFor } from './engine.js';
import { memoryNeeded } from './memory.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

export const waitCodes = [
  'NO_WORKER',
  'DEVICE_BUSY',
  'DEVICE_UNHEALTHY',
  'NO_ENGINE',
  'NO_MEMORY',
  'SELECTOR',
  'QUOTA',
  'DEPENDENCY',
  'RETRY_BACKOFF',
  'RESERVED_FOR_OTHER',
  'PRIORITY',
  'FALLBACK',
  'DISPATCHED',
] as const;
export type WaitCode = (typeof waitCodes)[number];

/** Why one device can not take one job now: a code and a sentence that names the facts. */
export interface Block {
  code: WaitCode;
  message: string;
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** The first hard constraint that fails, from the most lasting to the most fleeting, or null when the job fits on a free slot. */
export const blockOf = (job: QueuedJob, device: DeviceState): Block | null =>
  lastingBlock(job, device) ?? healthBlock(device) ?? roomBlock(job, device);

/** Why it could not take the job were it well and free, or null. */
export const lastingBlock = (job: QueuedJob, device: DeviceState): Block | null =>
  engineBlock(job, device) ?? runsBlock(job, device) ?? selectorBlock(job, device);

/** Nothing but its state of now stands between them, and nobody has taken it out of service. */
export const couldTake = (job: QueuedJob, device: DeviceState): boolean =>
  lastingBlock(job, device) === null && !device.draining && device.health !== 'LOST';

function engineBlock(job: QueuedJob, device: DeviceState): Block | null {
  if (engineFor(job, device) !== undefined) return null;
  const offered = device.engines.join(', ') || 'no engine';
  return {
    code: 'NO_ENGINE',
    message: `${device.name} offers ${offered}; needed is ${job.engines.join(' or ')}.`,
  };
}

/** Its worker was not set up for this kind or tier, is too old for it, or does not allow it. */
function runsBlock({ kind, tier }: QueuedJob, device: DeviceState): Block | null {
  const name = runName(kind, tier);
  if ((device.runs ?? runsBefore).includes(name)) return null;
  return { code: 'NO_ENGINE', message: `${device.workerName} is not set up to run ${name}.` };
}

function selectorBlock({ selector }: QueuedJob, device: DeviceState): Block | null {
  const block = (what: string): Block => ({ code: 'SELECTOR', message: `${device.name} ${what}.` });
  const isCpu = device.kind === 'CPU' || device.kind === 'SOFTWARE';
  if (selector.kind && (selector.kind === 'cpu') !== isCpu)
    return block(`is not a ${selector.kind.toUpperCase()}`);
  if (selector.name !== undefined && selector.name !== device.name)
    return block(`is not named ${selector.name}`);
  if (selector.worker !== undefined && ![device.workerName, device.workerId].includes(selector.worker))
    return block(`is not on worker ${selector.worker}`);
  if (selector.minMemoryBytes !== undefined && (device.memoryBytes ?? 0) < selector.minMemoryBytes)
    return block(`has less than ${gigabytes(selector.minMemoryBytes)}`);
  for (const [key, value] of Object.entries(selector.labels ?? {}))
    if (device.labels[key] !== value) return block(`has no label ${key}=${value}`);
  return null;
}

function healthBlock(device: DeviceState): Block | null {
  if (!device.online) return { code: 'NO_WORKER', message: `${device.workerName} is offline.` };
  if (device.draining)
    return { code: 'DEVICE_UNHEALTHY', message: `${device.name} of ${device.workerName} takes nothing new.` };
  if (device.health === 'OK' && device.slots.some((slot) => !slot.held && !slot.silent)) return null;
  return { code: 'DEVICE_UNHEALTHY', message: `${device.name} is closed: ${closedBecause(device)}.` };
}

/** A device that is OK may have a reason of its own that says what can not be known of it: that closes nothing. */
function closedBecause({ health, healthReason }: DeviceState): string {
  if (health === 'OK') return 'it waits to be swept or does not answer';
  return healthReason?.replace(/\.$/, '') ?? health.toLowerCase();
}

function roomBlock(job: QueuedJob, device: DeviceState): Block | null {
  const open = device.slots.filter((slot) => !slot.held && !slot.silent);
  if (open.every((slot) => slot.attempt)) {
    const holder = open[0]?.attempt?.ownerName ?? 'another user';
    const others = open.length > 1 ? `all ${open.length} slots are taken` : `${holder} is using it`;
    return { code: 'DEVICE_BUSY', message: `${device.name} is busy: ${others}.` };
  }
  const free = device.memoryFreeBytes;
  const needed = memoryNeeded(job, device);
  if (free === null || needed === 0 || needed <= free) return null;
  return {
    code: 'NO_MEMORY',
    message: `${device.name} has ${gigabytes(free)} free; needed are ${gigabytes(needed)}.`,
  };
}
