import { fileURLToPath } from 'node:url';
import { engineAuditSchema, type EngineAudit } from '@gjm/core/wire/ipc.js';
import { trialEnvironment } from './environment.js';
import { runProgram } from './run-program.js';

const trialLimitMs = 2 * 60_000;

/**
 * Loads an engine from a packages folder in a process of its own and runs its self-test there.
 * @throws SetupProblem when the process dies of it, as on a processor that the library was not made for
 */
export function tryEngine(engine: 'cuda' | 'native', packages: string): EngineAudit {
  const main = fileURLToPath(new URL('try-engine.js', import.meta.url));
  const answer = runProgram(process.execPath, [main, engine], {
    failure: `The engine ${engine} could not be tried`,
    env: trialEnvironment(packages, engine === 'cuda'),
    limitMs: trialLimitMs,
  });
  return engineAuditSchema.parse(JSON.parse(answer));
}
