import { carriesMark } from '../instance/leftovers.js';
import { readStat } from '../instance/process-identity.js';
import type { Ownership } from './gpu-record.js';

/** More generations than any program has. */
const longestLine = 32;

/** Tells this worker's processes from others by their group, their parents, and the mark in their environment. */
export function makeOwnership(instanceId: string, childPids: () => readonly number[]): Ownership {
  const isChild = (pid: number) => descendsFrom(pid, childPids());
  return { isChild, isOurs: (pid) => isChild(pid) || carriesMark(pid, instanceId) };
}

function descendsFrom(pid: number, children: readonly number[]): boolean {
  let at = pid;
  for (let n = 0; n < longestLine && at > 1; n += 1) {
    const stat = readStat(at);
    if (!stat) return false;
    if (children.includes(at) || children.includes(stat.group)) return true;
    at = stat.parent;
  }
  return false;
}
