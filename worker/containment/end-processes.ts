import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { isGone, readStat } from '../instance/process-identity.js';
import { pause } from '../wait.js';
import { markVariable, type ProgramTask } from './program-task.js';

/** How long processes that were killed may take to be gone, in ms. */
const goneMs = 5_000;

type Kept = Pick<ProgramTask, 'user' | 'keeping' | 'mark' | 'tools'>;

/**
 * Kills all processes of a program that live outside of this one, and resolves with true when none is left.
 *
 * In a namespace of its own the caller is the first process there, and the kernel knows all others. Else they are those of the program's user,
 * which belongs to one slot alone; without a user of its own, those whose environment bears its mark.
 */
export async function endProcesses(kept: Kept): Promise<boolean> {
  const endsAt = performance.now() + goneMs;
  for (let waitMs = 1; ; waitMs = Math.min(50, waitMs * 2)) {
    await killAll(kept);
    if (livingProcesses(kept).length === 0) return true;
    if (performance.now() >= endsAt) return false;
    await pause(waitMs);
  }
}

/** Pids of the program's living processes, as this process sees them. */
export function livingProcesses({ user, keeping, mark }: Kept): number[] {
  if (keeping === 'namespace') return pidsWhere((pid) => pid !== process.pid);
  if (keeping === 'user' && user) return pidsWhere((pid) => uidOf(pid) === user.uid);
  return pidsWhere((pid) => pid !== process.pid && hasMark(pid, mark));
}

async function killAll(kept: Kept): Promise<void> {
  if (kept.keeping === 'namespace') {
    // To anybody but the first process of a namespace these are all processes of the machine.
    if (process.pid === 1) killOne(-1);
  } else if (kept.keeping === 'user' && kept.user) await killUser(kept.user.uid, kept.user.gid, kept.tools);
  else for (const pid of livingProcesses(kept)) killOne(pid);
}

/** One call of the kernel hits all processes that this user may signal: none can be born meanwhile and be missed. */
async function killUser(uid: number, gid: number, { setpriv, sh }: Kept['tools']): Promise<void> {
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'];
  const child = spawn(setpriv, [...as, sh, '-c', 'kill -s KILL -- -1'], { env: {}, stdio: 'ignore' });
  await once(child, 'close');
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Gone already, or nobody is there.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function pidsWhere(isOne: (pid: number) => boolean): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => isOne(pid) && !isGone(readStat(pid)));
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
