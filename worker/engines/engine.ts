import type { FailureCode } from '@gjm/core/job/failure.js';

/** What computes, in the words of the design. */
export const engineNames = ['cuda', 'webgpu', 'native', 'wasm', 'cpu'] as const;
export type EngineName = (typeof engineNames)[number];

/** An engine that has been loaded into this process. There is one per process, for life. */
export interface Engine {
  /** `process` where nothing of ours computes: a program of a user does. */
  readonly name: EngineName | 'process';
  /** Version of the package that computes. */
  readonly version: string;
  /** The device in its driver's own words, where an engine could be on another one than was meant. */
  readonly on?: string;
  /** The engine that TensorFlow would use right now, so that a success can say what was really in use. */
  inUse(): string;
  /**
   * Refuses, before the work begins, what would not fit.
   * @param bytes expected peak beyond the tensors that are alive now
   * @throws EngineOutOfMemory
   */
  assertRoom(bytes: number): void;
  /** Whether this error means that the process must not compute again: its heap or its device can no longer be trusted. */
  isBroken(error: unknown): boolean;
  /** Only where a device can fail without an error of the operation. */
  readonly faults?: EngineFaults;
}

/** What a device says beside the operations. After a fault their results are worthless, and the process must not compute again. */
export interface EngineFaults {
  /** Calls `tell` with the first fault: at once if there has been one. */
  listen(tell: (fault: Error) => void): void;
  /** Waits until the device has done all that it was given, then gives its first fault, or null. */
  settled(): Promise<Error | null>;
}

/** An engine that was loaded, or why it can not be offered here: `code` is one of the audit's codes. */
export type LoadResult = { ok: true; engine: Engine } | { ok: false; code: string; message: string };

/** Knows how to load one engine. `load` makes it TensorFlow's current backend; what it throws counts as a refusal. */
export interface EngineLoader {
  readonly name: EngineName;
  load(): Promise<LoadResult>;
}

/** More memory was asked for than the engine may hold. The process is replaced afterwards: its heap does not shrink. */
export class EngineOutOfMemory extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EngineOutOfMemory';
  }
}

/** A fault of the device that no operation threw. `code` is the attempt's. */
export class EngineFault extends Error {
  constructor(
    readonly code: Extract<FailureCode, 'DEVICE_LOST' | 'WORKLOAD_ERROR' | 'RUNNER_CRASHED'>,
    message: string,
  ) {
    super(message);
    this.name = 'EngineFault';
  }
}
