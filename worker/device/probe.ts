import type { DeviceReport } from '@gjm/core/wire/worker-api.js';
import { probeCpu } from './cpu.js';
import { probeVulkan, type VulkanOptions } from './vulkan.js';

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

/** What probes need: of the CPU and of Vulkan. */
type ProbeOptions = Parameters<typeof probeCpu>[0] & VulkanOptions;

/**
 * Looks, once, for the devices of this machine that neither come nor go while a worker runs: its CPU, and what Vulkan knows. GPUs of NVIDIA are
 * watched all the time instead (gpu-watch.ts).
 */
export async function probeDevices(options: ProbeOptions): Promise<FoundDevice[]> {
  return [probeCpu(options), ...(await probeVulkan(options))];
}
