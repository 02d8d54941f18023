import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedAdapter } from '../engines/webgpu/adapters.js';
import { askForAdapters } from '../device/vulkan-adapters.js';
import { optionalPackages } from '../packages-folder.js';
import { trialEnvironment } from './environment.js';
import { type PinnedPackage, unpackPackages } from './packages.js';
import { type BuildPlace, putInPlace } from './place.js';
import { SetupProblem } from './problem.js';

const dawn: PinnedPackage = {
  name: 'webgpu',
  version: '0.6.2',
  integrity:
    'sha512-3L4GfmqJLvYUIEWJngEQY+2HQiUlAFkg8+P8NDDj3Xx5hHHIFO/r8JW+ynfqBj7kHN4mbnwO74uB+lrRtLhp4Q==',
};

/**
 * Makes the set of packages behind the engine webgpu, and asks it what it finds here; null when it was made before.
 * @throws SetupProblem when it could not be done; then nothing has changed
 */
export async function setUpDawn(): Promise<{ folder: string; adapters: ListedAdapter[] } | null> {
  const before = optionalPackages('webgpu');
  if (before !== null && isWhole(before)) return null;
  let adapters: ListedAdapter[] = [];
  const folder = await putInPlace('webgpu', async (place) => {
    adapters = await build(place);
  });
  return { folder, adapters };
}

/** The folder appears as a whole, so that its version tells all. */
function isWhole(folder: string): boolean {
  const path = join(folder, 'node_modules/webgpu/package.json');
  if (!existsSync(path)) return false;
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version === dawn.version;
}

async function build({ folder, packages }: BuildPlace): Promise<ListedAdapter[]> {
  unpackPackages([dawn], folder);
  keepOwnBinary(join(folder, 'node_modules/webgpu/dist'));
  const answer = await askForAdapters({ env: trialEnvironment(packages, false) });
  if (!answer.ok) throw new SetupProblem(answer.message);
  return answer.adapters;
}

/** The package brings 130 MB for five kinds of machine. */
function keepOwnBinary(dist: string): void {
  const own = `${process.platform}-${process.platform === 'darwin' ? 'universal' : process.arch}`;
  if (!existsSync(join(dist, own)))
    throw new SetupProblem(`Dawn is not made for ${process.platform} on ${process.arch}.`);
  for (const name of readdirSync(dist)) {
    if (name !== own) rmSync(join(dist, name), { recursive: true });
  }
}
