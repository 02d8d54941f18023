import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type PackageSet, packagesFolder } from '../packages-folder.js';
import { SetupProblem } from './problem.js';

/** Where a set is being built, beside the place where it will lie. */
export interface BuildPlace {
  /** A packages folder of its own, for trying the set before anybody else sees it. */
  packages: string;
  /** The set within it: empty at first. */
  folder: string;
}

const prefix = (set: PackageSet) => `.${set}-`;

/**
 * Builds a set of optional packages and puts it in its place as a whole: until then, and when `build` throws, whatever was there stays. A worker
 * that runs keeps what it has loaded.
 * @returns the set's folder
 * @throws SetupProblem when the packages folder can not be written
 */
export async function putInPlace(
  set: PackageSet,
  build: (place: BuildPlace) => Promise<void>,
  root = packagesFolder(),
): Promise<string> {
  const packages = join(root, `${prefix(set)}${process.pid}`);
  const place = { packages, folder: join(packages, set) };
  try {
    clearRemains(root, set);
    mkdirSync(place.folder, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupProblem(`The folder of packages ${root} can not be written: ${why}`, { cause: error });
  }
  try {
    await build(place);
    const target = join(root, set);
    if (existsSync(target)) renameSync(target, join(packages, 'before'));
    renameSync(place.folder, target);
    return target;
  } finally {
    rmSync(packages, { recursive: true, force: true });
  }
}

/** Removes what set-ups left that were killed. */
function clearRemains(root: string, set: PackageSet): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    const pid = name.startsWith(prefix(set)) ? Number(name.slice(prefix(set).length)) : NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
