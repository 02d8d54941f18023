import { programEngine } from '@gjm/core/plan/plan.js';
import type { ProgramTask } from '../containment/program-task.js';
import type { Engine } from '../engines/engine.js';
import { programWorkload } from '../workloads/process-run.js';
import type { OpenedParts } from './attempt.js';

/** Nothing here computes: the program brings what does. */
const engine: Engine = {
  name: programEngine,
  version: process.version,
  inUse: () => programEngine,
  assertRoom: () => undefined,
  isBroken: () => false,
};

/** What runs one program of a user. */
export function openProgram(task: ProgramTask): OpenedParts {
  // Files of a program are for its user alone.
  process.umask(0o077);
  const workload = programWorkload(task);
  const audit = {
    engine: engine.name,
    offered: true,
    code: null,
    message: 'Programs bring their own.',
    version: engine.version,
  };
  const registry = new Map([[workload.kind.name, workload]]);
  return { parts: { engine, registry, countTensors: () => 0 }, audit: [audit] };
}
