import { exit } from 'node:process';
import type { Fault } from './environment.js';
import { pause } from './wait.js';

/** Exit code of a process that ended at a fault point. */
const faultExitCode = 70;

/** The fault to make on purpose, as a function that acts on its first call and never again. Without a fault it does nothing. */
export function makeFaultPoint(fault: Fault | null): () => Promise<void> {
  let left = fault;
  return async () => {
    const now = left;
    left = null;
    if (now?.act === 'exit') exit(faultExitCode);
    if (now?.act === 'delay') await pause(now.ms);
  };
}
