import { readFileSync } from 'node:fs';

/** What tells one process from a later one with the same number: pid, start in clock ticks since boot, and the boot itself. */
export interface ProcessIdentity {
  pid: number;
  startTicks: string;
  machineBootId: string;
}

/** Fields of /proc/<pid>/stat that we judge by. */
export interface ProcessStat {
  state: string;
  parent: number;
  group: number;
  startTicks: string;
}

/** Reads a process' state, or null when it is gone (or the system has no /proc). */
export function readStat(pid: number): ProcessStat | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field is the program's name in brackets and may itself hold blanks and brackets.
  const [state = '', parent = '', group = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent), group: Number(group), startTicks: rest[16] ?? '' };
}

/** A zombie holds nothing any more: it counts as gone. */
export const isGone = (stat: ProcessStat | null): boolean => stat === null || 'ZX'.includes(stat.state);

/** The identity of a living process, or null. */
export function readIdentity(pid: number): ProcessIdentity | null {
  const stat = readStat(pid);
  if (stat === null || isGone(stat)) return null;
  return { pid, startTicks: stat.startTicks, machineBootId: machineBootId() };
}

/** True while exactly this process lives; false for a foreign one that got the same number. */
export function isSameProcessAlive(identity: ProcessIdentity): boolean {
  const now = readIdentity(identity.pid);
  return (
    now !== null && now.startTicks === identity.startTicks && now.machineBootId === identity.machineBootId
  );
}

export const machineBootId = (): string => (readText('/proc/sys/kernel/random/boot_id') ?? '').trim();

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
