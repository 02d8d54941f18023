import type { EngineCase } from './case.js';
import { gradientCases } from './gradient-cases.js';
import { opCases } from './op-cases.js';
import { pretrainedCases } from './pretrained-cases.js';
import { workloadCases } from './workload-cases.js';

/** The whole table, the cheapest first. */
export const engineCases: readonly EngineCase[] = [
  ...opCases,
  ...gradientCases,
  ...workloadCases,
  ...pretrainedCases,
];
