import { blockOf } from './constraints.js';
import type { DeviceState, QueuedJob } from './snapshot.js';

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
 * these devices is taken to be as much work as those attempts are on average; how long it takes follows from how fast each device was measured
 * to be, where that was done. Null when none of them says anything, when more jobs are ahead than an estimate can bear, or when no device could
 * take it.
 */
export function estimateStart({ at, devices, line }: Line, ahead: number, job: QueuedJob): number | null {
  // When several devices of one worker are free at once can not be told from when each is.
  if (ahead > nearestJobs || job.devices > 1) return null;
  const able = devices.filter((device) => canTakeOnceFree(job, device));
  const rivals = line.slice(0, ahead).filter((other) => able.some((it) => canTakeOnceFree(other, it)));
  const start = startBehind(rivals.length, turnsOf(able));
  if (start === null) return null;
  const backOff = job.notBefore === null ? 0 : (job.notBefore - at) / 1_000;
  return Math.ceil(Math.max(0, start, backOff));
}

/** Nothing but its being busy stands between them. */
function canTakeOnceFree(job: QueuedJob, device: DeviceState): boolean {
  const block = blockOf(job, device);
  return block === null || block.code === 'DEVICE_BUSY';
}

/** A slot that will be free, and how long the next job takes there; null when nothing says. */
interface Turn {
  freeAt: number;
  spanSeconds: number | null;
}

function turnsOf(devices: readonly DeviceState[]): Turn[] {
  const speeds = devices.flatMap(({ speed }) => speed ?? []);
  // One that was never measured is taken for an average one.
  const usual = meanOf(speeds) ?? 1;
  const places = devices.flatMap(({ slots, speed }) =>
    slots
      .filter((slot) => !slot.held && !slot.silent)
      .map(({ attempt }) => ({ attempt, speed: speed ?? usual })),
  );
  const work = meanOf(
    places.flatMap(({ attempt, speed }) =>
      attempt?.etaSeconds == null ? [] : [((attempt.ranSeconds ?? 0) + attempt.etaSeconds) * speed],
    ),
  );
  return places.flatMap(({ attempt, speed }) => {
    const freeAt = attempt ? attempt.etaSeconds : 0;
    return freeAt === null ? [] : [{ freeAt, spanSeconds: work && work / speed }];
  });
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length;

/** When a slot is left over after `rivals` jobs have each taken the one that is free first. */
function startBehind(rivals: number, given: readonly Turn[]): number | null {
  const turns = [...given].sort((a, b) => a.freeAt - b.freeAt);
  for (let taken = 0; taken < rivals; taken++) {
    const first = turns.shift();
    if (first === undefined) return null;
    // Without an idea of how long a job takes, a slot counts once.
    if (first.spanSeconds === null) continue;
    const next = { ...first, freeAt: first.freeAt + first.spanSeconds };
    turns.splice(placeOf(turns, next.freeAt), 0, next);
  }
  return turns[0]?.freeAt ?? null;
}

function placeOf(turns: readonly Turn[], time: number): number {
  const at = turns.findIndex(({ freeAt }) => freeAt > time);
  return at < 0 ? turns.length : at;
}
