import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { openPrivateApt } from './apt-private.js';
import type { StackContext } from './context.js';
import { StackProblem } from './problem.js';
import { lacksLibraries, libraryPathOf } from './shared-libraries.js';

/** A Redis server program, and where its own libraries lie if the system lacks them. */
export interface RedisProgram {
  command: string;
  libraryPath: string | undefined;
}

/** The package with the program and the file in it: redis-server is that same program under another name. */
const CHOICES = [
  { package: 'redis-tools', file: 'redis-check-rdb', name: 'redis-server' },
  { package: 'valkey-tools', file: 'valkey-check-rdb', name: 'valkey-server' },
];

/**
 * The unpacked Redis of this distribution in the first of `folders` that has it; else it is fetched with
 * apt-get into the first that can be written. Works as an ordinary user and changes nothing of the system.
 * Fails when the package can not be fetched.
 */
export async function unpackDebianRedis(folders: string[], context: StackContext): Promise<RedisProgram> {
  const label = await describeSystem();
  for (const folder of folders) {
    const found = await readProgram(join(folder, label));
    if (found !== undefined) return found;
  }
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch {
      continue; // a home that can not be written
    }
    context.say('Fetching Redis from this distribution …');
    const place = join(folder, label);
    const draft = await mkdtemp(join(folder, `${label}.new-`));
    try {
      await fetchRedis(draft, context.signal);
      // A place that is there and does not work is replaced; another start may have been faster.
      if ((await readProgram(place)) === undefined) await rm(place, { recursive: true, force: true });
      await rename(join(draft, 'root'), place).catch(() => undefined);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    const made = await readProgram(place);
    if (made !== undefined) return made;
  }
  throw new StackProblem('what was fetched does not run.');
}

/** Unpacks the package to `<draft>/root`, then as many of the libraries it needs as the system lacks. */
async function fetchRedis(draft: string, signal: AbortSignal): Promise<void> {
  const root = join(draft, 'root');
  const apt = await openPrivateApt(join(draft, 'apt'), signal);
  const choice = await firstWorking(CHOICES, (one) => apt.unpack([one.package], root));
  const bin = join(root, 'usr', 'bin');
  await symlink(choice.file, join(bin, choice.name));
  for (const depth of ['direct', 'all'] as const) {
    if (!(await lacksLibraries(join(bin, choice.file), await libraryPathOf(root)))) return;
    const needed = await apt.listLibraries(choice.package, depth);
    await apt.unpack(needed, root);
  }
}

async function readProgram(root: string): Promise<RedisProgram | undefined> {
  const names = CHOICES.map((choice) => join(root, 'usr', 'bin', choice.name));
  const command = names.find((path) => existsSync(path));
  if (command === undefined) return undefined;
  const libraryPath = await libraryPathOf(root);
  return (await lacksLibraries(command, libraryPath)) ? undefined : { command, libraryPath };
}

/** A folder name that changes with distribution, release and processor. */
async function describeSystem(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const digest = createHash('sha256').update(release).digest('hex').slice(0, 8);
  return `redis-${digest}-${process.arch}`;
}

async function firstWorking<T>(choices: readonly T[], attempt: (choice: T) => Promise<void>): Promise<T> {
  let last: unknown;
  for (const choice of choices) {
    try {
      await attempt(choice);
      return choice;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}
