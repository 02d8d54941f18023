import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionalPackages } from '../packages-folder.js';
import { type PinnedPackage, unpackPackages } from './packages.js';
import { putInPlace } from './place.js';

/** Packages of which only the weights are read: for the tier `thick` of image.upscale, and for image.moderate. 156 MB together. */
const packages: readonly PinnedPackage[] = [
  {
    name: '@upscalerjs/esrgan-thick',
    version: '1.0.0',
    integrity:
      'sha512-Xt7LAEa1WYVdU8teye1A2J3T2ylb3ihlU/x01x1ieM7zZh5FzTll6fwmeUC82mkztWloGZM65KdSEWOmhlXOdw==',
  },
  {
    name: 'nsfwjs',
    version: '4.4.0',
    integrity:
      'sha512-krC1fgeTLXtZwgdpKJ0jm7hqv0gTSRQQRL+FhOaxaJ9Wj92t42BO3csO2odwgTAgZgf2RvkwPtp0R8Aa7dc+MA==',
  },
];

/** True when all of them are there in these versions; the folder appears as a whole. */
export function areModelsSetUp(): boolean {
  const folder = optionalPackages('models');
  return folder !== null && packages.every(({ name, version }) => versionOf(folder, name) === version);
}

function versionOf(folder: string, name: string): string | null {
  const path = join(folder, 'node_modules', name, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version : null;
}

/**
 * Fetches the optional models.
 * @returns their folder; null when they were there before
 * @throws SetupProblem when it could not be done; then nothing has changed
 */
export async function setUpModels(): Promise<string | null> {
  if (areModelsSetUp()) return null;
  return putInPlace('models', async ({ folder }) => unpackPackages(packages, folder));
}
