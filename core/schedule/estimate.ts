import { blockOf } from './constraints.js';
import type { DeviceState, QueuedJob, Snapshot } from './snapshot.js';

/** Behind so many jobs that want the same devices, an estimate would be a guess. */
const nearestJobs = 100;

interface Line {
  at: number;
  devices: readonly DeviceState[];
  /** Queued jobs in order. */
  line: readonly QueuedJob[];
}

/**
 * Seconds until a job may start, from what the attempts say that now run on devices which could take it. Each job ahead that wants one of
 * these devices is taken to run as long as those attempts do on average. Null when none of them says anything, when more jobs are ahead
 * than an estimate can bear, or when no device could take it.
 */
export function estimateStart({ at, devices, line }: Line, ahead: number, job: QueuedJob): number | null {
  // When several devices of one worker are free at once can not be told from when each is.
  if (ahead > nearestJobs || job.devices > 1) return null;
  const able = devices.filter((device) => canTakeOnceFree(job, device));
  const slots = able.flatMap((device) => device.slots.filter((slot) => !slot.held && !slot.silent));
  const free = slots.flatMap(({ attempt }) => (attempt ? (attempt.etaSeconds ?? []) : 0));
  const rivals = line.slice(0, ahead).filter((other) => able.some((it) => canTakeOnceFree(other, it)));
  const start = startBehind(rivals.length, free, meanSeconds(slots));
  if (start === null) return null;
  const backOff = job.notBefore === null ? 0 : (job.notBefore - at) / 1_000;
  return Math.ceil(Math.max(0, start, backOff));
}

/** Nothing but its being busy stands between them. */
function canTakeOnceFree(job: QueuedJob, device: DeviceState): boolean {
  const block = blockOf(job, device);
  return block === null || block.code === 'DEVICE_BUSY';
}

/** How long the attempts on these slots take from start to end, on average; null when none says. */
function meanSeconds(slots: Snapshot['devices'][number]['slots']): number | null {
  const spans = slots.flatMap(({ attempt }) =>
    attempt?.etaSeconds == null ? [] : [(attempt.ranSeconds ?? 0) + attempt.etaSeconds],
  );
  return spans.length === 0 ? null : spans.reduce((a, b) => a + b) / spans.length;
}

/** When a slot is left over after `rivals` jobs have each taken the one that is free first. */
function startBehind(rivals: number, freeAt: readonly number[], spanSeconds: number | null): number | null {
  const times = [...freeAt].sort((a, b) => a - b);
  for (let taken = 0; taken < rivals; taken++) {
    const first = times.shift();
    if (first === undefined) return null;
    // Without an idea of how long a job takes, a slot counts once.
    if (spanSeconds !== null) times.splice(placeOf(times, first + spanSeconds), 0, first + spanSeconds);
  }
  return times[0] ?? null;
}

function placeOf(times: readonly number[], time: number): number {
  const at = times.findIndex((it) => it > time);
  return at < 0 ? times.length : at;
}
