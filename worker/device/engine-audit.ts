import { defaultPolicy } from '@gjm/core/policy/policy.js';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { FoundDevice } from './probe.js';

/**
 * Why a device does not offer an engine: one row for each of the policy's that is not `offered`, best first. `tried`: what its children
 * said.
 */
export function engineAuditOf(
  device: Pick<FoundDevice, 'kind' | 'engines' | 'diagnosticEngine'>,
  tried: readonly EngineAudit[],
  offered: string | null,
): EngineAudit[] {
  const { engineOrder } = defaultPolicy;
  const missing = engineOrder.filter((engine) => engine !== offered);
  return missing.map((engine) => {
    const row = tried.find((entry) => entry.engine === engine && !entry.offered);
    return row ?? untried(engine, ...reasonOf(engine, device, offered));
  });
}

function untried(engine: string, code: string, message: string): EngineAudit {
  return { engine, offered: false, code, message, version: null };
}

function reasonOf(
  engine: string,
  { kind, engines, diagnosticEngine }: Pick<FoundDevice, 'kind' | 'engines' | 'diagnosticEngine'>,
  offered: string | null,
): [code: string, message: string] {
  if (diagnosticEngine)
    return ['DIAGNOSTIC_ENGINE', `A setting for tests makes this device compute with ${diagnosticEngine}.`];
  if (!engines.split(',').includes(engine))
    return kind === 'CPU'
      ? ['DEVICE_IS_CPU', 'This device is a CPU.']
      : ['DEVICE_IS_GPU', 'This device is a GPU: its children do not compute on the CPU.'];
  return offered === null
    ? ['NOT_TRIED', 'No child has got so far as to try it.']
    : ['NOT_NEEDED', `${offered} works here and comes first.`];
}
