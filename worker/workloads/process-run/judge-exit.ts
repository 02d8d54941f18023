import { readFile } from 'node:fs/promises';
import { WorkloadFailure } from '../define.js';

/** How a program ended, as the kernel tells. */
export interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Processes that the kernel has killed for lack of memory since the machine was started; null where it does not tell. */
export async function countMemoryKills(): Promise<number | null> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? null : Number(count);
}

/**
 * Whether the program did its work: exit code 0 says so, and nothing else.
 * @param memoryKills how often the kernel killed for lack of memory while the program ran
 * @throws WorkloadFailure that says how it ended and what its last line of errors was
 */
export function judgeExit({ code, signal }: ProgramExit, memoryKills: number, lastLine: string | null): void {
  if (code === 0) return;
  const said = lastLine === null ? '' : ` Its last line of errors was: ${lastLine}`;
  if (signal === null)
    throw new WorkloadFailure('WORKLOAD_ERROR', `The program exited with code ${code}.${said}`);
  if (signal === 'SIGXFSZ')
    throw new WorkloadFailure(
      'OUTPUT_INVALID',
      `The program wrote a file that is larger than it may be.${said}`,
    );
  if (signal !== 'SIGKILL')
    throw new WorkloadFailure('WORKLOAD_ERROR', `The program was ended by ${signal}.${said}`);
  if (memoryKills > 0)
    throw new WorkloadFailure(
      'OUT_OF_MEMORY',
      `The program was killed while the system ended processes for lack of memory.${said}`,
    );
  throw new WorkloadFailure(
    'WORKLOAD_ERROR',
    `The program was killed by SIGKILL, by itself or by somebody else.${said}`,
  );
}
