import { createHash } from 'node:crypto';
import type { ListedAdapter } from '../engines/webgpu/adapters.js';
import type { Logger } from '../logger.js';
import type { FoundDevice } from './probe.js';
import { askForAdapters, reasonNotToAsk, type AdapterQuestion } from './vulkan-adapters.js';

/** The variable that tells a runner child its adapter: the only name it has. */
const adapterVariable = 'GJM_RUNNER_ADAPTER';

export interface VulkanOptions extends AdapterQuestion {
  instanceId: string;
  /** Also offers adapters that compute on the CPU. For tests: they are slower than the wasm engine. */
  allowSoftware: boolean;
  log: Logger;
}

/** The devices that the engine webgpu can use, each in its own slot. None, with a line in the log, when Vulkan can not be asked. Never rejects. */
export async function probeVulkan(options: VulkanOptions): Promise<FoundDevice[]> {
  const answer = reasonNotToAsk(options.env) ?? (await askForAdapters(options));
  if (!answer.ok) {
    options.log.info({ code: answer.code }, answer.message);
    return [];
  }
  return devicesOf(answer.adapters, options);
}

/** Adapters as devices. Twins, which have one name, are one device: nothing could tell their children apart. */
export function devicesOf(
  adapters: readonly ListedAdapter[],
  { instanceId, allowSoftware, log }: Pick<VulkanOptions, 'instanceId' | 'allowSoftware' | 'log'>,
): FoundDevice[] {
  return adapters.flatMap(({ name, count, isSoftware, description }) => {
    if (isSoftware && !allowSoftware) {
      log.info(
        { code: 'WEBGPU_SOFTWARE_ONLY', adapter: name },
        'an adapter computes on the CPU: not offered',
      );
      return [];
    }
    // An adapter is asked for by a part of its name.
    const longer = adapters.find((other) => other.name !== name && other.name.includes(name));
    if (longer) {
      log.warn({ adapter: name, other: longer.name }, 'an adapter can not be told from another: not offered');
      return [];
    }
    const digest = createHash('sha256').update(`${instanceId}\n${name}`).digest('hex').slice(0, 16);
    return {
      uid: `vulkan-${digest}`,
      name: (count === 1 ? name : `${count} × ${name}`).slice(0, 256),
      kind: isSoftware ? 'SOFTWARE' : 'GPU',
      engines: 'webgpu',
      slots: 1,
      memoryBytes: null,
      labels: {
        driver: description.slice(0, 256),
        ...(count > 1 && { pinning: 'none', adapters: String(count) }),
      },
      pin: { [adapterVariable]: name, ...(isSoftware && { GJM_RUNNER_ALLOW_SOFTWARE_GPU: '1' }) },
      freeBytes: () => null,
    };
  });
}

/**
 * Makes one device of a GPU that CUDA and Vulkan both know, by its name. CUDA's uid stays, and webgpu is its second engine where exactly one
 * GPU and one adapter have that name; of twins nobody knows which is which, so that they are left to CUDA.
 * @param gpus those that CUDA knows
 * @param others all other devices, adapters among them
 */
export function joinAdapters(gpus: readonly FoundDevice[], others: readonly FoundDevice[]): FoundDevice[] {
  const adapterOf = (device: FoundDevice) => device.pin[adapterVariable] ?? '';
  const count = (name: string) => gpus.filter((gpu) => gpu.name === name).length;
  const joined = gpus.map((gpu) => {
    const adapter = others.find((other) => adapterOf(other) === gpu.name);
    if (!adapter || count(gpu.name) > 1 || adapter.labels['pinning'] === 'none') return gpu;
    return { ...gpu, pin: { ...gpu.pin, ...adapter.pin } };
  });
  return [...others.filter((other) => count(adapterOf(other)) === 0), ...joined];
}
