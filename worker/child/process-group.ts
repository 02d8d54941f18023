import { readdirSync } from 'node:fs';
import { isGone, readStat } from '../instance/process-identity.js';
import { pause } from '../wait.js';

/** Pids of the living members of a process group; zombies are not living. */
export function groupMembers(group: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    const stat = readStat(pid);
    return stat !== null && stat.group === group && !isGone(stat);
  });
}

/** Whether any process of the group still lives. */
export function isGroupAlive(group: number): boolean {
  // The cheap question first: without any member at all, zombies included, there is nothing to look through.
  return signalGroup(group, 0) && groupMembers(group).length > 0;
}

/** Sends a signal to all of a group. False when nobody is there. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: members exist, but all have changed their user; they can only be reported, not ended.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Waits at most `limitMs` until no process of the group lives. */
export async function groupGone(group: number, limitMs: number): Promise<boolean> {
  const endsAt = performance.now() + limitMs;
  for (let waitMs = 2; ; waitMs = Math.min(50, waitMs * 2)) {
    if (!isGroupAlive(group)) return true;
    if (performance.now() >= endsAt) return false;
    await pause(waitMs);
  }
}
