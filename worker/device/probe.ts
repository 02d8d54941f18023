import type { DeviceReport } from '@gjm/core/wire/worker-api.js';
import { probeCpu } from './cpu.js';

/** A device of this machine, before anything has computed on it. */
export interface FoundDevice {
  uid: string;
  name: string;
  kind: DeviceReport['kind'];
  /** Engines its runner children try, best first, separated by commas. */
  engines: string;
  slots: number;
  memoryBytes: number | null;
  labels: Record<string, string>;
  /** Variables that pin a runner child to this device, set before any library loads (CUDA_VISIBLE_DEVICES and the like). */
  pin: Record<string, string>;
  /** Set where a setting for this project's own tests makes it compute with an engine that is not its own. */
  diagnosticEngine?: string | null;
  /** Bytes free now, or null when it can not be told. Cheap, never fails: it is part of each beat. */
  freeBytes(): number | null;
}

/**
 * Looks, once, for the devices of this machine that neither come nor go while a worker runs. For now that is its CPU; further kinds add
 * their own probe here. GPUs are watched all the time instead (gpu-watch.ts).
 */
export async function probeDevices(options: {
  cpuSlots: number;
  instanceId: string;
}): Promise<FoundDevice[]> {
  return [probeCpu(options)];
}
