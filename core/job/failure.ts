export const failureCodes = [
  'INVALID_INPUT',
  'WORKLOAD_ERROR',
  'OUT_OF_MEMORY',
  'TIMEOUT',
  'WORKER_LOST',
  'RUNNER_CRASHED',
  'DEVICE_LOST',
  'NO_ENGINE',
  'OUTPUT_INVALID',
  'DISK_FULL',
  'VALIDATION_FAILED',
  'DEPENDENCY_FAILED',
] as const;
export type FailureCode = (typeof failureCodes)[number];
export type FailureOrigin = 'WORKLOAD' | 'DEVICE' | 'PLATFORM' | 'USER';

/** Why an attempt or a job failed, as the API shows it. `message` is cleaned text of at most 4,000 characters. */
export interface JobFailure {
  code: FailureCode;
  origin: FailureOrigin;
  retryable: boolean;
  message: string;
}

interface FailureRule {
  origin: FailureOrigin;
  /** Whether another attempt may help. */
  retryable: boolean;
  /** Whether the next attempt keeps the job's place in line instead of waiting its back-off first. */
  keepsPlace: boolean;
}

/** The one table from a cause to its consequence; the compiler keeps it complete. */
export const failureRules: Record<FailureCode, FailureRule> = {
  INVALID_INPUT: { origin: 'USER', retryable: false, keepsPlace: false },
  WORKLOAD_ERROR: { origin: 'WORKLOAD', retryable: false, keepsPlace: false },
  OUT_OF_MEMORY: { origin: 'DEVICE', retryable: true, keepsPlace: false },
  TIMEOUT: { origin: 'WORKLOAD', retryable: false, keepsPlace: false },
  WORKER_LOST: { origin: 'PLATFORM', retryable: true, keepsPlace: true },
  RUNNER_CRASHED: { origin: 'PLATFORM', retryable: true, keepsPlace: false },
  DEVICE_LOST: { origin: 'DEVICE', retryable: true, keepsPlace: true },
  NO_ENGINE: { origin: 'PLATFORM', retryable: false, keepsPlace: false },
  OUTPUT_INVALID: { origin: 'WORKLOAD', retryable: false, keepsPlace: false },
  DISK_FULL: { origin: 'PLATFORM', retryable: false, keepsPlace: false },
  VALIDATION_FAILED: { origin: 'WORKLOAD', retryable: false, keepsPlace: false },
  DEPENDENCY_FAILED: { origin: 'USER', retryable: false, keepsPlace: false },
};

/** A failure by its code, with origin and retry from the table. */
export function failureOf(code: FailureCode, message: string): JobFailure {
  const { origin, retryable } = failureRules[code];
  return { code, origin, retryable, message };
}

/** Back-off before the next attempt in ms: 1 s × 4^n, at most 60 s, ± 20 %. `unit` is a random number in [0, 1). */
export function backoffMs(failuresBefore: number, unit: number): number {
  const base = Math.min(60_000, 1_000 * 4 ** failuresBefore);
  return Math.round(base * (0.8 + 0.4 * unit));
}
