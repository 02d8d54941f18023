import { readdirSync, readFileSync } from 'node:fs';
import { isGone, readStat } from '../instance/process-identity.js';
import { markVariable, type ProgramTask } from './program-task.js';

/** By what the processes of a program are known. */
export type Known = Pick<ProgramTask, 'user' | 'keeping' | 'mark'>;

/** Pids of the program's living processes, as this process sees them. */
export function livingProcesses({ user, keeping, mark }: Known): number[] {
  if (keeping === 'namespace') return pidsWhere((pid) => pid !== process.pid && pid !== 1);
  if (keeping === 'user' && user) return pidsWhere((pid) => pid !== process.pid && isOf(user.uid, pid, mark));
  return pidsWhere((pid) => pid !== process.pid && hasMark(pid, mark));
}

function pidsWhere(isOne: (pid: number) => boolean): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => isOne(pid) && !isGone(readStat(pid)));
}

/**
 * Whether it runs as this user, or is on its way to: what changes the user begins as ours, and would run on after a look for the user alone.
 * The mark first, since it may change its user between the looks. Another user's mark says nothing: it may be somebody else's, copied.
 */
function isOf(uid: number, pid: number, mark: string): boolean {
  const isMarked = hasMark(pid, mark);
  const found = uidOf(pid);
  return found === uid || (isMarked && found === process.getuid?.());
}

/** The owner of /proc/<pid> would be root for a process that hides its memory. */
function uidOf(pid: number): number | null {
  try {
    return Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  } catch {
    return null;
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${markVariable}=${mark}`);
  } catch {
    return false;
  }
}
