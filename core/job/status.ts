/** Exactly these five: why a job waits, and that a cancel was asked, are not statuses. */
export const jobStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Which status may follow which. RUNNING goes back to QUEUED when an attempt is lost or released and another try is allowed. */
export const nextStatuses: Record<JobStatus, readonly JobStatus[]> = {
  QUEUED: ['RUNNING', 'CANCELLED', 'FAILED'],
  RUNNING: ['QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
};

/** Terminal is final: nothing follows, and nothing is numbered after its event. */
export const isTerminal = (status: JobStatus): boolean => nextStatuses[status].length === 0;
export const canFollow = (from: JobStatus, to: JobStatus): boolean => nextStatuses[from].includes(to);

/** DISPATCHED: placed, its message on the way. RUNNING: claimed, under a lease. ENDED: has an outcome. */
export const attemptStates = ['DISPATCHED', 'RUNNING', 'ENDED'] as const;
export type AttemptState = (typeof attemptStates)[number];

/** RELEASED and VOID do not count against maxAttempts. */
export const attemptOutcomes = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'LOST', 'RELEASED', 'VOID'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
