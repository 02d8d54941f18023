import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesFolderSetting } from './runner/environment.js';

/** A set of optional packages: one folder each. `vulkan` is for tests: adapters that compute on the CPU. */
export type PackageSet = 'tensorflow' | 'webgpu' | 'models' | 'vulkan';

/**
 * Where optional packages lie that are set up by their own commands (`npm run setup:…`), since not everybody wants their hundreds of
 * megabytes: beside node_modules, so that an `npm ci` leaves them. `GJM_PACKAGES_DIR` names another place.
 */
export function packagesFolder(): string {
  // This file runs from worker/dist/, and in tests from worker/.
  const beside = import.meta.url.endsWith('/dist/packages-folder.js') ? '../packages' : 'packages';
  const setting = packagesFolderSetting();
  // Programs that are given it run in other folders.
  return setting === null ? fileURLToPath(new URL(beside, import.meta.url)) : resolve(setting);
}

/** The folder of one set of optional packages, or null when it is not set up. */
export function optionalPackages(set: PackageSet): string | null {
  const folder = join(packagesFolder(), set);
  return existsSync(folder) ? folder : null;
}
