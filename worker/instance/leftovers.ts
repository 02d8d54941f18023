import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupGone, groupMembers, signalGroup } from '../child/process-group.js';
import { isSameProcessAlive, machineBootId, readIdentity, type ProcessIdentity } from './process-identity.js';

/** Set in each runner's environment, so that a grandchild of a dead runner is known for ours. The value is the instance id: no secret. */
export const ownerVariable = 'GJM_RUNNER_OWNER';

/** Notes a runner's process group (its leader's pid) so that a later life of this worker can end it. */
export function noteGroup(runFolder: string, pid: number): void {
  const identity = readIdentity(pid);
  if (identity) writeFileSync(notePath(runFolder, pid), JSON.stringify(identity), { mode: 0o600 });
}

/** Forgets a group that is gone. */
export const forgetGroup = (runFolder: string, pid: number): void =>
  rmSync(notePath(runFolder, pid), { force: true });

/**
 * Ends what an earlier life left running, and empties its scratch. A group is ended when its noted leader lives (same pid, start time and
 * boot) or when a member carries our mark; a foreign process that got an old number is never touched. Returns how many groups were ended;
 * `alive` names those that did not go within `limitMs` each.
 */
export async function endLeftovers(
  folders: { run: string; scratch: string },
  instanceId: string,
  limitMs = 5_000,
): Promise<{ ended: number; alive: number[] }> {
  const result = { ended: 0, alive: [] as number[] };
  for (const file of readdirSync(folders.run).filter((name) => name.endsWith('.pid'))) {
    const noted = readNote(join(folders.run, file));
    if (noted && isOurs(noted, instanceId)) {
      signalGroup(noted.pid, 'SIGKILL');
      if (await groupGone(noted.pid, limitMs)) result.ended += 1;
      else {
        result.alive.push(noted.pid);
        continue;
      }
    }
    rmSync(join(folders.run, file), { force: true });
  }
  emptyScratch(folders.scratch);
  return result;
}

/** Removes what attempts left on disk. */
export function emptyScratch(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

function isOurs(noted: ProcessIdentity, instanceId: string): boolean {
  if (noted.machineBootId !== machineBootId()) return false;
  if (isSameProcessAlive(noted)) return true;
  return groupMembers(noted.pid).some((pid) => carriesMark(pid, instanceId));
}

/** Whether a process was started, through however many others, by a runner of this instance. */
export function carriesMark(pid: number, instanceId: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .includes(`${ownerVariable}=${instanceId}`);
  } catch {
    return false; // gone, or another user's
  }
}

function readNote(path: string): ProcessIdentity | null {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
    return Number.isInteger(note.pid) && note.pid > 1 ? note : null;
  } catch {
    return null; // cut short by a crash: the group, if any, dies with its parent
  }
}

const notePath = (runFolder: string, pid: number): string => join(runFolder, `runner-${pid}.pid`);
