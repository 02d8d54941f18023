import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clone, digest } from './clone.mjs';
import { runStep } from './step.mjs';

const lockPath = join(clone, 'package-lock.json');
const modules = join(clone, 'node_modules');
const stampPath = join(modules, '.gjm-install');

/** True when node_modules was made for this package-lock.json and this kind of machine. */
export function isInstalled() {
  return existsSync(stampPath) && readFileSync(stampPath, 'utf8') === describeInstall();
}

/** Runs `npm ci` unless node_modules is as the lock file says. */
export async function installIfNeeded(lockFd) {
  if (isInstalled()) return;
  if (!agreesWithLock()) {
    const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    await runStep('Installing packages', 'npm', args, lockFd);
  }
  writeFileSync(stampPath, describeInstall());
}

function describeInstall() {
  const lock = digest(readFileSync(lockPath));
  return `${lock} ${process.platform} ${process.arch}\n`;
}

/**
 * True when npm's own record of what it installed has every package of the lock file in the same version: then
 * a person ran npm install, and doing it again would only take time. Packages for other machines may be absent.
 */
function agreesWithLock() {
  const recordPath = join(modules, '.package-lock.json');
  if (!existsSync(recordPath)) return false;
  const installed = JSON.parse(readFileSync(recordPath, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(lockPath, 'utf8')).packages);
  return wanted.every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    const found = installed[path];
    return found === undefined
      ? Boolean(entry.optional || entry.peer || entry.devOptional)
      : found.version === entry.version;
  });
}
