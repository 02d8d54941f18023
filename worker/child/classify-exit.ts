import type { FailureCode } from '@gjm/core/job/failure.js';

/** How a child's process ended, as Node tells it. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Why an attempt ended without a word from its runner. Decided here and nowhere else. */
export function classifyExit(
  exit: ChildExit,
  lastLine: string | null,
): { code: FailureCode; message: string } {
  const said = lastLine ? ` Its last line was: ${lastLine.slice(0, 1_000)}` : '';
  return { code: 'RUNNER_CRASHED', message: `${describeExit(exit)}${said}` };
}

/** One sentence about the end of a process. */
export function describeExit({ code, signal }: ChildExit): string {
  if (signal === 'SIGKILL')
    return 'The runner was killed by SIGKILL: most often the system ran out of memory, or somebody ended it by hand.';
  if (signal === 'SIGSEGV' || signal === 'SIGBUS')
    return `The runner was ended by ${signal}: a fault in native code.`;
  if (signal === 'SIGABRT')
    return 'The runner was ended by SIGABRT: native code gave up (a failed check, or abort).';
  if (signal !== null) return `The runner was ended by ${signal}.`;
  // Node's own exit codes for a fatal error and for an allocation that failed.
  if (code === 134)
    return 'The runner exited with code 134: it aborted, most often because its heap was full.';
  if (code === 0) return 'The runner exited with code 0 without saying that the work was done.';
  return `The runner exited with code ${code ?? 'unknown'} without saying why.`;
}
