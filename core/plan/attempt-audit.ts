import type { EngineAudit } from '../wire/ipc.js';

/** Which engine an attempt should have had, which it had, and why each better one was passed over. */
export interface AttemptAudit {
  /** The best engine of the job's plan. */
  wantedEngine: string;
  usedEngine: string;
  /** Best first; empty when the best one was used. */
  skipped: EngineAudit[];
}

/** The audit of an attempt, from its job's plan and what its device said of the engines it does not offer. */
export function auditOfAttempt(
  planned: readonly string[],
  usedEngine: string,
  notOffered: readonly EngineAudit[],
): AttemptAudit {
  const place = planned.indexOf(usedEngine);
  const skipped = planned.slice(0, Math.max(0, place)).map((engine) => reasonOf(engine, notOffered));
  return { wantedEngine: planned[0] ?? usedEngine, usedEngine, skipped };
}

const reasonOf = (engine: string, notOffered: readonly EngineAudit[]): EngineAudit =>
  notOffered.find((row) => row.engine === engine) ?? {
    engine,
    offered: false,
    code: 'NOT_OFFERED',
    message: `Its device did not offer ${engine} and did not say why.`,
    version: null,
  };
