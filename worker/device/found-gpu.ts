import type { FoundDevice } from './probe.js';
import type { GpuRow, MigSlice } from './smi-rows.js';

/** What computes on a GPU, best first. */
const gpuEngines = 'cuda,webgpu';

/**
 * A GPU as a device: exclusive, named by its own id from here to the variable that pins a child to it. A `diagnosticEngine` computes instead
 * of its own.
 */
export function foundGpu(row: GpuRow, diagnosticEngine: string | null): FoundDevice {
  return {
    uid: row.uid,
    name: (row.name ?? 'NVIDIA GPU').slice(0, 256),
    kind: 'GPU',
    engines: diagnosticEngine ?? gpuEngines,
    diagnosticEngine,
    slots: 1,
    memoryBytes: row.memoryTotalBytes,
    labels: labelsOf(row),
    // Numbers differ from tool to tool unless all of them count by place on the bus.
    pin: { CUDA_VISIBLE_DEVICES: row.uid, CUDA_DEVICE_ORDER: 'PCI_BUS_ID' },
    freeBytes: () => null,
  };
}

/** A slice of a GPU as a device of its own. */
export function foundSlice(
  row: GpuRow,
  { uid, profile }: MigSlice,
  diagnosticEngine: string | null,
): FoundDevice {
  const gigabytes = /(\d+)gb/i.exec(profile)?.[1];
  return {
    ...foundGpu(row, diagnosticEngine),
    uid,
    name: `${row.name ?? 'NVIDIA GPU'} MIG ${profile}`.slice(0, 256),
    kind: 'MIG',
    // Only its profile says how much it has.
    memoryBytes: gigabytes === undefined ? null : Number(gigabytes) * 1024 ** 3,
    labels: { ...labelsOf(row), profile },
    pin: { CUDA_VISIBLE_DEVICES: uid, CUDA_DEVICE_ORDER: 'PCI_BUS_ID' },
  };
}

function labelsOf({ driver, computeCapability }: GpuRow): Record<string, string> {
  const known = Object.entries({ driver, computeCapability }).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Record<string, string>;
}
