// Installs packages and builds when needed; two commands that start at once on one clone take turns.
import { buildIfNeeded, isBuilt } from './build.mjs';
import { PrepareFailure } from './failure.mjs';
import { installIfNeeded, isInstalled } from './install.mjs';
import { withCloneLock } from './clone-lock.mjs';

export { PrepareFailure };

/**
 * Makes the clone ready: packages as package-lock.json says, output as the sources say; of `everything`, or of what
 * runs without tests and bench.
 * Fails with a PrepareFailure, after printing the output of the step that failed.
 */
export async function prepare(everything) {
  if (isInstalled() && isBuilt(everything)) return;
  await withCloneLock(async (lockFd) => {
    await installIfNeeded(lockFd);
    await buildIfNeeded(everything, lockFd);
  });
}
