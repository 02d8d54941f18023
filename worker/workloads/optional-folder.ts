import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageSet } from '@gjm/core/workload/define.js';
import { optionalPackages } from '../packages-folder.js';
import { WorkloadFailure } from './define.js';

/**
 * The folder of a package of an optional set. A worker without it says so in what it can run, so nobody should ask.
 * @param what needs it, for the sentence
 * @throws WorkloadFailure NO_ENGINE that says what to set up
 */
export function optionalFolder(set: PackageSet, name: string, what: string): string {
  const packages = optionalPackages(set);
  const folder = packages && join(packages, 'node_modules', name);
  if (folder && existsSync(folder)) return folder;
  throw new WorkloadFailure(
    'NO_ENGINE',
    `This worker can not run ${what}: run "npm run setup:${set}" on its machine and start it again.`,
  );
}
