/** Durations in ms that server and workers share; a worker learns them from hello. */
export interface Timing {
  heartbeatMs: number;
  leaseMs: number;
  graceMs: number;
  tickMs: number;
  /** How long a dispatched attempt may stay unclaimed. */
  dispatchMs: number;
  /** How long a worker without an acknowledged beat lets its children run. */
  orphanMs: number;
}

/** Time beyond the grace in which a cancel or a time-out must be settled, in ms. */
export const settleSlackMs = 15_000;

/** When no server has looked for deadlines for so long, in ms, nobody was listening: what passed meanwhile does not count. */
export const silentMs = (leaseMs: number): number => leaseMs / 2;

export type TimingInput = { [Key in keyof Timing]?: number | undefined };

/** Fills defaults (heartbeat lease/5, tick min(1 s, lease/4)) or throws one sentence when they can not work together. */
export function resolveTiming(input: TimingInput): Timing {
  const leaseMs = input.leaseMs ?? 10_000;
  const heartbeatMs = input.heartbeatMs ?? Math.round(leaseMs / 5);
  if (heartbeatMs > leaseMs / 3)
    throw new Error(
      `GJM_HEARTBEAT_MS (${heartbeatMs}) must be at most a third of GJM_LEASE_MS (${leaseMs}).`,
    );
  return {
    leaseMs,
    heartbeatMs,
    graceMs: input.graceMs ?? 5_000,
    tickMs: input.tickMs ?? Math.min(1_000, Math.round(leaseMs / 4)),
    dispatchMs: input.dispatchMs ?? 10_000,
    orphanMs: input.orphanMs ?? 600_000,
  };
}
