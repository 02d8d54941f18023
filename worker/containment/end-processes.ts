import { pause } from '../wait.js';
import { isBehindFirstProcess } from './first-process.js';
import { killGroup } from './memory-group.js';
import { killUser } from './kill-user.js';
import { livingProcesses, type Known } from './living-processes.js';
import type { ProgramTask } from './program-task.js';

/** How long processes that were killed may take to be gone, in ms. */
const goneMs = 5_000;

type Kept = Known & Pick<ProgramTask, 'tools'> & Partial<Pick<ProgramTask, 'group'>>;

/**
 * Kills all processes of a program that live outside of this one, and resolves with true when none is left, false when some do not go. Never
 * rejects: whoever waits for the end of a program must hear of it also on a machine that is out of processes.
 *
 * In a namespace of its own they are all but the caller and the first process there. Else they are those of the program's user, which belongs
 * to one slot alone, and those on their way to that user; without a user of its own, those whose environment bears its mark.
 */
export async function endProcesses(kept: Kept): Promise<boolean> {
  const endsAt = performance.now() + goneMs;
  for (let waitMs = 1; ; waitMs = Math.min(50, waitMs * 2)) {
    await killAll(kept, endsAt);
    if (found(kept)?.length === 0) return true;
    if (performance.now() >= endsAt) return false;
    await pause(waitMs);
  }
}

async function killAll(kept: Kept, endsAt: number): Promise<void> {
  if (kept.group) killGroup(kept.group);
  if (kept.keeping === 'namespace') {
    // All but the caller and the first process. Outside of a namespace these would be all processes of the machine.
    if (isBehindFirstProcess()) signalOne(-1, 'SIGKILL');
    return;
  }
  const isCalled = kept.keeping === 'user' && kept.user !== null && (await killUser(kept.user, kept.tools));
  if (!isCalled) await stopEach(kept, endsAt);
  // After the call these are those on their way to the user, whom it does not meet.
  for (const pid of found(kept) ?? []) signalOne(pid, 'SIGKILL');
}

/**
 * Stops them one by one, all of them, before they are killed: one that is killed makes room for a child of another, so that a program that
 * forks all the time would keep ahead of us; those that are stopped have no children, and keep the room that they take.
 */
async function stopEach(kept: Kept, endsAt: number): Promise<void> {
  const stopped = new Set<number>();
  while (performance.now() < endsAt) {
    const running = (found(kept) ?? []).filter((pid) => !stopped.has(pid));
    if (running.length === 0) break;
    for (const pid of running) {
      signalOne(pid, 'SIGSTOP');
      stopped.add(pid);
    }
    // The worker has others to hear.
    await pause(1);
  }
}

/** Null when one can not look: without a free file descriptor, say. */
function found(kept: Kept): number[] | null {
  try {
    return livingProcesses(kept);
  } catch {
    return null;
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or out of our reach: whoever looks for living processes sees which.
  }
}
