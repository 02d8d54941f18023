import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where optional packages lie that are set up by their own commands (`npm run setup:…`), since not everybody wants their hundreds of
 * megabytes: beside node_modules, so that an `npm ci` leaves them. One folder a set; `GJM_PACKAGES_DIR` names another place.
 */
const defaultFolder = fileURLToPath(new URL('../packages/', import.meta.url));

/** The folder of one set of optional packages, or null when it is not set up. */
export function optionalPackages(
  set: 'tensorflow' | 'models',
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  const folder = join(env['GJM_PACKAGES_DIR'] ?? defaultFolder, set);
  return existsSync(folder) ? folder : null;
}
