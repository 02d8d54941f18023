import type { z } from 'zod';
import type { FailureCode } from '@gjm/core/job/failure.js';
import { cleanText } from '@gjm/core/text/clean.js';
import type { Kind } from '@gjm/core/workload/define.js';
import type { Engine } from '../engines/engine.js';

/** What a watcher sees of an attempt that is under way. What is left out is unknown. */
export interface ProgressUpdate {
  /** Steps done, and of how many. */
  step: number | null;
  total: number | null;
  /** Share that is done, 0 to 1; left out, it follows from step and total. */
  fraction?: number;
  message?: string;
  /** Expected rest in whole seconds. */
  etaSeconds?: number;
}

/** All that an implementation may touch of the runner it works in. */
export interface WorkloadContext<Params> {
  readonly params: Params;
  /** Absolute path of each file parameter's bytes, by field. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Absolute path of an empty folder; outputs go here. */
  readonly outputDir: string;
  /** Absolute path of an empty folder; checkpoints go here. */
  readonly checkpointDir: string;
  /** Absolute path of the newest intact checkpoint that an earlier attempt left, or null. Its content is still to be checked. */
  readonly resumeFrom: string | null;
  /** W3C `traceparent` of this attempt, for programs that trace. */
  readonly traceparent: string | null;
  readonly tier: string | null;
  readonly engine: Engine;
  stopRequested(): boolean;
  /** @throws WorkloadStopped once a stop has been asked for */
  stopIfAsked(): void;
  /** Lets the runner hear its messages and send the latest progress. Call it between tiles and batches, never less often than that. */
  yieldNow(): Promise<void>;
  /** Remembers the latest progress; it is sent at the next yield, so that a fast loop does not flood the channel. */
  progress(update: ProgressUpdate): void;
  /** Every metric is sent. NaN and infinities are allowed. */
  metric(name: string, value: number, step?: number): void;
  /** Hands on a whole file in `checkpointDir`, whose name is new for each; it must not be touched afterwards. */
  checkpoint(file: Output): void;
  /** Writes to stdout and waits until the pipe has taken it. A string is one line, bytes go out as they are. */
  print(output: string | Uint8Array): Promise<void>;
}

/** A file the workload left in its folder for it; `path` is relative to that. */
export interface Output {
  name: string;
  path: string;
  mediaType: string;
}

/** How a kind is computed. Written against tfjs-core and layers, blind to the engine. */
export interface Workload<K extends Kind = Kind> {
  readonly kind: K;
  /**
   * Computes one attempt and answers with its outputs.
   * @throws WorkloadFailure for an end the user should read, WorkloadStopped when it was asked to stop
   */
  run(context: WorkloadContext<z.output<K['params']>>): Promise<Output[]>;
}

/** Ties an implementation to the kind it implements, so that its params have the kind's type. */
export const defineWorkload = <K extends Kind>(kind: K, run: Workload<K>['run']): Workload<K> => ({
  kind,
  run,
});

/** An end of an attempt that has a code and one sentence for the user. */
export class WorkloadFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'WorkloadFailure';
  }
}

/** The user's file or params are at fault, and this sentence says how. */
export const invalidInput = (message: string, cause?: unknown): WorkloadFailure =>
  new WorkloadFailure('INVALID_INPUT', message, { cause });

/** A name from outside, for a sentence. */
export const shown = (name: string): string => `"${cleanText(name, 200)}"`;

/** The workload ended because it was asked to. */
export class WorkloadStopped extends Error {
  constructor() {
    super('The workload was asked to stop.');
    this.name = 'WorkloadStopped';
  }
}
