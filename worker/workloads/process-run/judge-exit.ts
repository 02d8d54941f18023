import { readFile } from 'node:fs/promises';
import { countGroupKills } from '../../containment/memory-group.js';
import type { ProgramTask } from '../../containment/program-task.js';
import { WorkloadFailure } from '../define.js';

/** How a program ended, as the kernel tells. */
export interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Processes that the kernel killed for lack of memory. */
export interface MemoryKills {
  /** Of the program's control group; null where it has none. */
  own: number | null;
  /** Of the whole machine. */
  anywhere: number;
}

/** Counts from now on; call what it returns when the program has ended. */
export async function watchMemoryKills({
  group,
}: Pick<ProgramTask, 'group'>): Promise<() => Promise<MemoryKills>> {
  const before = (await countMemoryKills()) ?? 0;
  return async () => ({
    own: group && countGroupKills(group),
    anywhere: ((await countMemoryKills()) ?? before) - before,
  });
}

/** Processes that the kernel has killed for lack of memory since the machine was started; null where it does not tell. */
async function countMemoryKills(): Promise<number | null> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? null : Number(count);
}

/**
 * Whether the program did its work: exit code 0 says so, and nothing else.
 * @param kills what the kernel killed for lack of memory while the program ran. The group's own count tells of every process of the program,
 *   whatever the code by which those above it passed that on; without a group only a kill of the program itself can be told, by a guess
 * @param limitBytes what the group may have at most, if it has a limit
 * @throws WorkloadFailure that says how it ended and what its last line of errors was
 */
export function judgeExit(
  { code, signal }: ProgramExit,
  kills: MemoryKills,
  lastLine: string | null,
  limitBytes: number | null = null,
): void {
  if (code === 0) return;
  const said = lastLine === null ? '' : ` Its last line of errors was: ${lastLine}`;
  if (kills.own !== null && kills.own > 0) {
    const most = limitBytes === null ? '' : `, of which it may have ${limitBytes / 1024 ** 2} MiB here`;
    throw new WorkloadFailure(
      'OUT_OF_MEMORY',
      `The system killed a process of the program for lack of memory${most}.${said}`,
    );
  }
  if (signal === null)
    throw new WorkloadFailure('WORKLOAD_ERROR', `The program exited with code ${code}.${said}`);
  if (signal === 'SIGXFSZ')
    throw new WorkloadFailure(
      'OUTPUT_INVALID',
      `The program wrote a file that is larger than it may be.${said}`,
    );
  if (signal !== 'SIGKILL')
    throw new WorkloadFailure('WORKLOAD_ERROR', `The program was ended by ${signal}.${said}`);
  if (kills.own === null && kills.anywhere > 0)
    throw new WorkloadFailure(
      'OUT_OF_MEMORY',
      `The program was killed while the system ended processes for lack of memory.${said}`,
    );
  throw new WorkloadFailure(
    'WORKLOAD_ERROR',
    `The program was killed by SIGKILL, by itself or by somebody else.${said}`,
  );
}
