import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { firstProcess } from './first-process.js';
import type { ProgramTask } from './program-task.js';
import { CanNotContain } from './run-users.js';

export type Tools = ProgramTask['tools'];

/** Never those of somebody's PATH: they run before the user is changed. */
const places = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Absolute path of a program of the system, or null. */
export function findTool(name: string): string | null {
  return places.map((place) => join(place, name)).find(isExecutable) ?? null;
}

/** @throws CanNotContain that names what is missing */
export function findTools(): Tools {
  const names = ['setpriv', 'prlimit', 'env', 'sh'] as const;
  const found = names.map((name) => [name, findTool(name)] as const);
  const missing = found.flatMap(([name, path]) => (path === null ? [name] : []));
  if (missing.length > 0)
    throw new CanNotContain(
      `To run programs this machine needs ${missing.join(', ')} (packages util-linux and coreutils).`,
    );
  return Object.fromEntries(found) as Tools;
}

/**
 * What begins a process namespace in which the next command runs behind a first process of ours; null where none can be made.
 * @param before what begins a command that is to come before the first process, in the namespace
 */
export function findNamespace(
  isRoot: boolean,
  { sh }: Tools,
  before: readonly string[] = [],
): string[] | null {
  const unshare = findTool('unshare');
  if (unshare === null) return null;
  const own = isRoot ? [] : ['--user', '--map-current-user'];
  const made = [unshare, ...own, '--pid', '--ipc', '--fork', '--kill-child=KILL', '--mount-proc'];
  const command = [...made, ...before, ...firstProcess(sh)];
  const tried = spawnSync(unshare, [...command.slice(1), 'true'], { timeout: 5_000, stdio: 'ignore' });
  return tried.status === 0 ? command : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
