import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackContext } from './context.js';
import type { DataFolder } from './data-folder.js';
import { setAsideForeignData } from './postgres-owner.js';
import { type PostgresUser, preparePostgresPrograms } from './postgres-package.js';
import { StackProblem, systemCode } from './problem.js';

/** Where one embedded Postgres lives, and as whom it runs. */
export interface PostgresPlace {
  /** Private folder of all below. */
  home: string;
  /** The cluster itself. */
  data: string;
  /** The folder with bin, lib and share. */
  native: string;
  /** undefined = the user of this process. */
  user: PostgresUser | undefined;
}

/** Below here root keeps Postgres data, since Postgres refuses to run as root and others can not enter /root. */
const ROOT_HOME = '/var/lib/gjm';

/** System users root may run Postgres as; the first that exists is taken. */
const SYSTEM_USERS = ['gjm', 'postgres', 'nobody'];

/** Where the folder's Postgres keeps everything, made or not. */
export function postgresHomeOf(folder: DataFolder): string {
  if (process.getuid?.() !== 0) return join(folder.path, 'postgres');
  return join(ROOT_HOME, createHash('sha256').update(folder.path).digest('hex').slice(0, 16));
}

/**
 * Chooses and makes the place for the folder's Postgres: inside the data folder, or for root below
 * `/var/lib/gjm/<hash of the folder>` as a system user. An existing cluster keeps its owner.
 */
export async function preparePostgresPlace({ folder, say }: StackContext): Promise<PostgresPlace> {
  const isRoot = process.getuid?.() === 0;
  const wanted = postgresHomeOf(folder);
  try {
    if (isRoot) {
      await mkdir(ROOT_HOME, { recursive: true, mode: 0o711 });
      await chmod(ROOT_HOME, 0o711);
    }
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    const home = await realpath(wanted); // as /proc shows it
    const data = join(home, 'data');
    const aside = isRoot ? await setAsideForeignData(home, folder) : undefined;
    if (aside) say(`The data folder is new; the Postgres data of an earlier one is kept in ${aside}`);
    const user = isRoot ? await chooseUser(data) : undefined;
    if (user !== undefined) await chown(home, user.uid, user.gid);
    return { home, data, user, native: await preparePostgresPrograms(home, user) };
  } catch (error) {
    if (error instanceof StackProblem) throw error;
    throw new StackProblem(
      `Postgres can not keep its data in ${wanted} (${systemCode(error) ?? String(error)}).`,
    );
  }
}

async function chooseUser(data: string): Promise<PostgresUser> {
  if (existsSync(data)) {
    const { uid, gid } = await stat(data);
    if (uid !== 0) return { uid, gid };
  }
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of SYSTEM_USERS) {
    const account = accounts.find((fields) => fields[0] === name);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new StackProblem('Postgres can not run as root: make a system user for it (useradd --system gjm).');
}
