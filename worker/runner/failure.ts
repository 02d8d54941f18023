import type { FailureCode } from '@gjm/core/job/failure.js';
import { cleanText } from '@gjm/core/text/clean.js';
import { EngineFault, EngineOutOfMemory, type Engine } from '../engines/engine.js';
import { WorkloadFailure } from '../workloads/define.js';

/** How an attempt failed, in the words of the contract. */
export interface RunnerFailure {
  code: FailureCode;
  message: string;
  broken: boolean;
}

/** Longest message that travels; the same bound as that of a stored failure. */
const messageLength = 4_000;

/**
 * The one place where what a workload threw becomes a failure. An engine that can not be trusted any more is a fault of the platform, not of
 * the job, so another attempt may help.
 */
export function failureFrom(error: unknown, engine: Engine): RunnerFailure {
  const broken = engine.isBroken(error);
  const text = textOf(error);
  const message = cleanText(text === '' ? 'The workload failed without a message.' : text, messageLength);
  if (error instanceof WorkloadFailure) return { code: error.code, message, broken };
  if (error instanceof EngineFault) return { code: error.code, message, broken: true };
  if (isOutOfMemory(error)) return { code: 'OUT_OF_MEMORY', message, broken: true };
  if (isDiskFull(error)) return { code: 'DISK_FULL', message: 'The disk of the worker is full.', broken };
  if (broken) {
    return {
      code: 'RUNNER_CRASHED',
      message: cleanText(`The engine broke down: ${text}`, messageLength),
      broken,
    };
  }
  return { code: 'WORKLOAD_ERROR', message, broken };
}

/** Node's own words for a failed system call hold a path of the worker, which is nobody else's business. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === undefined
    ? error.message
    : `The worker could not do "${syscall}": ${code ?? 'unknown reason'}.`;
}

/** The engine's own cap, and JavaScript's words for a buffer it could not get. */
function isOutOfMemory(error: unknown): boolean {
  if (error instanceof EngineOutOfMemory) return true;
  return error instanceof RangeError && /allocation failed|array length/i.test(error.message);
}

/** Node gives a code; the image library only a sentence. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'ENOSPC') || /No space left on device/.test(error.message);
}
