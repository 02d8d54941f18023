import type { EngineAudit } from '@gjm/core/wire/ipc.js';

/** What came of one case on one engine. */
export type CaseAnswer =
  | {
      values: number[];
      /** Tensors that it left behind. */
      tensors: number;
      /** Whether TensorFlow still used the engine at the end. */
      isInUse: boolean;
    }
  | { error: string };

/** What a process that computed all cases on one engine tells. */
export interface EngineReport {
  audit: EngineAudit;
  /** By name of the case; empty when the engine is not offered. */
  answers: Record<string, CaseAnswer>;
  /** Instances of tfjs-core in the process: a second one would know other tensors than ours. */
  cores: number;
}
