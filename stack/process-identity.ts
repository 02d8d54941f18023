import { readFileSync } from 'node:fs';

/**
 * What tells one process from a later one with the same number: the pid, its start in clock ticks since boot,
 * and the boot itself.
 */
export interface ProcessIdentity {
  pid: number;
  startTicks: string;
  bootId: string;
}

/** The identity of a living process, undefined when there is none (a zombie counts as gone). */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program name in brackets and may itself hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === undefined || startTicks === undefined || 'ZX'.includes(state)) return undefined;
  return { pid, startTicks, bootId: (readText('/proc/sys/kernel/random/boot_id') ?? '').trim() };
}

/** True while exactly this process lives; false for a foreign one that was given the same number. */
export function isAlive(identity: ProcessIdentity): boolean {
  const now = readIdentity(identity.pid);
  return now !== undefined && now.startTicks === identity.startTicks && now.bootId === identity.bootId;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // the process is gone, or the system has no /proc
  }
}
