import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus, freemem, totalmem } from 'node:os';
import type { FoundDevice } from './probe.js';

/** The machine's CPU as one device. Its uid stays the same over restarts. */
export function probeCpu(options: { cpuSlots: number; instanceId: string }): FoundDevice {
  const machine = createHash('sha256')
    .update(machineId() ?? options.instanceId)
    .digest('hex')
    .slice(0, 16);
  return {
    uid: `cpu-${machine}`,
    name: (cpus()[0]?.model.trim() || `CPU (${arch()})`).slice(0, 256),
    kind: 'CPU',
    engines: 'native,wasm,cpu',
    slots: options.cpuSlots,
    memoryBytes: totalmem(),
    labels: {},
    // No GPU is visible to a child that serves the CPU.
    pin: { CUDA_VISIBLE_DEVICES: '' },
    freeBytes: freemem,
  };
}

/** The id that the operating system gave this installation. Only its digest leaves the machine, as its manual asks. */
function machineId(): string | null {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || null;
  } catch {
    return null;
  }
}
