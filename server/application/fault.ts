/** Places at which a test may make this system stop or wait. `worker-after-pop` is the worker's own. */
export const faultPoints = [
  'after-submit-commit',
  'after-place-commit',
  'after-claim-commit',
  'after-finish-commit',
  'before-artifact-rename',
  'after-delete-commit',
  'worker-after-pop',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** What `GJM_FAULT` asks for: to exit with code 70, or to wait `delayMs`. */
export interface Fault {
  point: FaultPoint;
  delayMs: number | null;
}

/** Passes a named point. Null when nothing was asked, so that the hot path pays nothing: `await fault?.('after-submit-commit')`. */
export type PassPoint = ((point: FaultPoint) => Promise<void>) | null;

/** A point fires once per process. `exit` ends the process at once, with nothing flushed or closed, as a crash would. */
export function createFault(fault: Fault | null, exit: (code: number) => void): PassPoint {
  if (fault === null) return null;
  let isSpent = false;
  return async (point) => {
    if (isSpent || point !== fault.point) return;
    isSpent = true;
    if (fault.delayMs === null) exit(70);
    else await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 0));
  };
}
