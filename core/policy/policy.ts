/** The rules that planner, scheduler and evaluator obey. */
export interface Policy {
  version: string;
  /** Engines, best first. A device offers some of them. */
  engineOrder: readonly string[];
  /** How long a job that a GPU could take waits for one before a CPU takes it, in ms. */
  fallbackAfterMs: number;
  /** How long a job that needs several devices or much memory waits before devices are kept free for it, in ms. */
  reserveAfterMs: number;
}

/** The policy in force until versioned files replace it. */
export const defaultPolicy: Policy = {
  version: 'default-1',
  engineOrder: ['cuda', 'webgpu', 'native', 'wasm', 'cpu'],
  fallbackAfterMs: 60_000,
  reserveAfterMs: 120_000,
};
