import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { optionalPackages } from '../packages-folder.js';

/** A Vulkan driver that computes on the CPU. */
interface SoftwareAdapter {
  folder: string;
  manifest: string;
  libraries: string[];
}

const adapters = {
  /** Needs nothing of the system, and is slow. */
  swiftshader: {
    folder: 'swiftshader',
    manifest: 'vk_swiftshader_icd.json',
    libraries: ['.'],
  },
  /** Mesa's. About eight times as fast. */
  lavapipe: {
    folder: 'lavapipe',
    manifest: 'icd.json',
    libraries: ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'],
  },
} satisfies Record<string, SoftwareAdapter>;

export type SoftwareName = keyof typeof adapters;

/**
 * The variables with which a process sees these adapters and no others, in this order; null, said on stderr, where they or Dawn are not
 * set up. For tests only: `npm test` sets them up.
 */
export function softwareAdapters(...names: SoftwareName[]): Record<string, string> | null {
  const root = optionalPackages('vulkan') ?? '';
  const chosen: SoftwareAdapter[] = names.map((name) => adapters[name]);
  const manifests = chosen.map(({ folder, manifest }) => join(root, folder, manifest));
  const missing = names.filter((_, index) => !existsSync(manifests[index] ?? ''));
  if (missing.length > 0 || optionalPackages('webgpu') === null) {
    process.stderr.write(
      `Left out: this machine has no ${['Dawn', ...missing].join(', ')} (npm test sets it up).\n`,
    );
    return null;
  }
  // SwiftShader's folder brings Vulkan's loader, too.
  const folders = [
    join(root, 'swiftshader'),
    ...chosen.flatMap(({ folder, libraries }) => libraries.map((library) => join(root, folder, library))),
  ];
  return {
    VK_DRIVER_FILES: manifests.join(':'),
    LD_LIBRARY_PATH: folders.filter((folder) => existsSync(folder)).join(':'),
    // One thread each: tests run beside others.
    LP_NUM_THREADS: '1',
  };
}

/** All that makes a child compute with webgpu on the fastest of these adapters that is here; nothing where none is. For tests only. */
export function softwarePin(): Record<string, string> {
  const lavapipe = softwareAdapters('lavapipe');
  const variables = lavapipe ?? softwareAdapters('swiftshader');
  if (!variables) return {};
  return {
    ...variables,
    GJM_RUNNER_ADAPTER: lavapipe ? 'llvmpipe' : 'SwiftShader',
    GJM_RUNNER_ALLOW_SOFTWARE_GPU: '1',
  };
}
