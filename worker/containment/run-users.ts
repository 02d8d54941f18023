import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeFolderLock, type FolderLock } from '../instance/lock.js';
import type { ProgramUser } from './program-task.js';

const limitMs = 10_000;
/** Emptied by a reboot, like the locks in it. */
const lockFolder = '/run/gjm-programs';

/** A sentence for the operator: programs can not be run as they ask. */
export class CanNotContain extends Error {}

/** The users that programs run as on a worker that is root: one for each slot, so that no program meets another one's files or processes. */
export class RunUsers {
  readonly first: ProgramUser;
  readonly #lock: FolderLock;
  readonly #bySlot = new Map<string, ProgramUser>();

  /** @throws CanNotContain when another worker of this machine uses the same users, or the first can not be made */
  constructor(name: string) {
    const folder = join(lockFolder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = takeFolderLock(folder);
    if (!lock)
      throw new CanNotContain(
        `Another worker of this machine runs programs as ${name}. Give this one a name of its own: GJM_RUN_AS.`,
      );
    this.#lock = lock;
    try {
      this.first = openUser(name);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The user of this slot, made now if it has none. @throws CanNotContain */
  of(slot: string): ProgramUser {
    const known = this.#bySlot.get(slot);
    if (known) return known;
    const user = this.#bySlot.size === 0 ? this.first : openUser(`${this.first.name}-${this.#bySlot.size}`);
    this.#bySlot.set(slot, user);
    return user;
  }

  /** Those that there are, whichever life of a worker made them. */
  existing(): ProgramUser[] {
    const found: ProgramUser[] = [];
    for (
      let user: ProgramUser | null = this.first;
      user;
      user = findUser(`${this.first.name}-${found.length}`)
    )
      found.push(user);
    return found;
  }

  close(): void {
    this.#lock.release();
  }
}

function openUser(name: string): ProgramUser {
  const user = findUser(name) ?? makeUser(name);
  if (user.uid === 0) throw new CanNotContain(`Programs can not run as ${name}, which is root.`);
  // All processes and scraps of these users are ended and removed as those of programs.
  if (!/\/(nologin|false)$/.test(shellOf(name)))
    throw new CanNotContain(
      `Programs can not run as ${name}, who may sign in: name a user for programs alone in GJM_RUN_AS.`,
    );
  return user;
}

const shellOf = (name: string): string => run('getent', ['passwd', name]).text.trim().split(':').at(-1) ?? '';

function findUser(name: string): ProgramUser | null {
  const [uid, gid] = [run('id', ['-u', name]), run('id', ['-g', name])];
  return uid.ok && gid.ok ? { name, uid: Number(uid.text), gid: Number(gid.text) } : null;
}

function makeUser(name: string): ProgramUser {
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name];
  const made = run('useradd', args);
  const user = findUser(name);
  if (user) return user;
  const why = made.text === '' ? '' : ` (${made.text.trim().slice(0, 200)})`;
  throw new CanNotContain(
    `The user ${name}, whom programs run as, does not exist and can not be made${why}: make it, or name another one in GJM_RUN_AS.`,
  );
}

function run(command: string, args: string[]): { ok: boolean; text: string } {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const { status, stdout, stderr } = spawnSync(command, args, { env, timeout: limitMs, encoding: 'utf8' });
  return { ok: status === 0, text: status === 0 ? stdout : (stderr ?? '') };
}
