/** The rules that planner, scheduler and evaluator obey. */
export interface Policy {
  version: string;
  /** Engines, best first. A device offers some of them. */
  engineOrder: readonly string[];
}

/** The policy in force until versioned files replace it. */
export const defaultPolicy: Policy = {
  version: 'default-1',
  engineOrder: ['cuda', 'webgpu', 'native', 'wasm', 'cpu'],
};
