import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { ChildExit } from '../child/classify-exit.js';

/** What the first process of a namespace that we made calls itself. */
const ownName = 'gjm-first-process';

/**
 * What starts a command behind the first process of a namespace. A shell, because it waits for whatever child ends, and so for processes that
 * lost their parents as well: those become children of the first process. A runner would leave them as zombies, which count as processes of
 * the program's user. It says nothing of its own on the error stream, which is the program's, and ends the namespace with the command.
 */
export const firstProcess = (sh: string): string[] => [
  ...[sh, '-c', 'exec 9>&2 2>/dev/null; (exec "$@" 2>&9 9>&-); exit $?', ownName],
];

/** Whether this process lives in a namespace that we made. Only there a signal to all does not meet the whole machine. */
export function isBehindFirstProcess(): boolean {
  try {
    return readFileSync('/proc/1/cmdline', 'latin1').split('\0').includes(ownName);
  } catch {
    return false;
  }
}

/** How the command ended: of a signal the shell tells by a code above 128. */
export function endBehindFirstProcess({ code, signal }: ChildExit): ChildExit {
  const number = code === null ? 0 : code - 128;
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found ? { code: null, signal: found[0] as NodeJS.Signals } : { code, signal };
}
