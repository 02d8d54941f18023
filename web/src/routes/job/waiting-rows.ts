import { numberOf } from '@gjm/client/big-int.js';
import type { Device } from '../../lib/fleet.js';
import { healthSentence } from '../../lib/health.js';
import type { JobView } from './job-view.js';

type Waiting = NonNullable<JobView['waiting']>;
type Reason = Waiting['reasons'][number];

/** Why one device does not take the job, and its memory against what the job needs, in bytes. */
export interface WaitingRow {
  device: Device;
  code: string;
  text: string;
  memory: { total: number; used: number } | null;
}

const sentences: Record<string, string> = {
  NO_WORKER: 'Its worker is offline.',
  NO_ENGINE: 'Offers no engine that this job can use.',
  SELECTOR: 'Is not what the job asks for.',
  DEVICE_BUSY: 'Is busy with other work.',
  NO_MEMORY: 'Has too little memory free.',
  FALLBACK: 'Is slower than a GPU that is taken, and is kept free for now.',
  RESERVED_FOR_OTHER: 'Is kept for a job that waited longer.',
};

function textOf(reason: Reason, device: Device): string {
  // The message names the first device it is about; to the others its meaning applies.
  if (reason.devices[0]?.id === device.id)
    return reason.message.replace(/ The same holds for \d+ more\.$/, '');
  return reason.code === 'DEVICE_UNHEALTHY'
    ? healthSentence(device)
    : (sentences[reason.code] ?? reason.message);
}

/** One row per device that stands in the way, in the fleet's order. */
export function waitingRows(waiting: Waiting, devices: readonly Device[]): WaitingRow[] {
  return devices.flatMap((device) => {
    const reason = waiting.reasons.find((it) => it.devices.some(({ id }) => id === device.id));
    if (!reason) return [];
    const total = device.memoryBytes === null ? null : numberOf(device.memoryBytes);
    const free = device.memoryFreeBytes === null ? total : numberOf(device.memoryFreeBytes);
    const memory = total === null ? null : { total, used: total - (free ?? total) };
    return [{ device, code: reason.code, text: textOf(reason, device), memory }];
  });
}

/** Reasons that are about no device: the line, a quota, a pause before the next try. */
export const otherReasons = (waiting: Waiting): Reason[] =>
  waiting.reasons.filter(({ devices }) => devices.length === 0);

/** What the plan says the job needs, in bytes; 0 when memory does not matter. */
export function neededBytes(job: Pick<JobView, 'decisions'>): number {
  const planned = job.decisions.findLast(({ stage }) => stage === 'planner')?.data['memoryBytes'];
  return typeof planned === 'number' ? planned : 0;
}
