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
  /** Bytes free now, or null when it can not be told. Cheap, never fails: it is part of each beat. */
  freeBytes(): number | null;
}

/** Looks what is in this machine. For now that is its CPU; further kinds of device add their own probe here. */
export function probeDevices(options: { cpuSlots: number; instanceId: string }): FoundDevice[] {
  return [probeCpu(options)];
}
