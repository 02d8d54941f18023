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

/**
 * The users that programs run as on a worker that is root: one for each slot, so that no program meets another one's files or processes. All
 * processes and scraps of theirs are ended and removed as those of programs, so no other worker may use them, nor a person.
 */
export class RunUsers {
  readonly first: ProgramUser;
  readonly #locks: FolderLock[] = [];
  readonly #held = new Map<string, ProgramUser>();
  readonly #bySlot = new Map<string, ProgramUser>();

  /** @throws CanNotContain when another worker of this machine uses the first user, or it can not be made */
  constructor(name: string) {
    try {
      this.first = this.#hold(name);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The user of this slot, made now if there is none. @throws CanNotContain */
  of(slot: string): ProgramUser {
    const known = this.#bySlot.get(slot);
    if (known) return known;
    const user = this.#hold(this.#nameOf(this.#bySlot.size));
    this.#bySlot.set(slot, user);
    return user;
  }

  /** Those that an earlier life of this worker may have made, as far as no other worker uses them. */
  existing(): ProgramUser[] {
    const found: ProgramUser[] = [];
    for (let place = 0; findUser(this.#nameOf(place)) !== null; place += 1)
      try {
        found.push(this.#hold(this.#nameOf(place)));
      } catch (error) {
        if (!(error instanceof CanNotContain)) throw error;
      }
    return found;
  }

  close(): void {
    for (const lock of this.#locks) lock.release();
  }

  #nameOf(place: number): string {
    return place === 0 ? this.first.name : `${this.first.name}-${place}`;
  }

  #hold(name: string): ProgramUser {
    const held = this.#held.get(name);
    if (held) return held;
    const folder = join(lockFolder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = takeFolderLock(folder);
    if (!lock)
      throw new CanNotContain(
        `Another worker of this machine runs programs as ${name}. Give this one a name of its own: GJM_RUN_AS.`,
      );
    this.#locks.push(lock);
    const user = findUser(name) ?? makeUser(name);
    refuseUnfit(user);
    this.#held.set(name, user);
    return user;
  }
}

function refuseUnfit({ name, uid }: ProgramUser): void {
  if (uid === 0) throw new CanNotContain(`Programs can not run as ${name}, which is root.`);
  if (!/\/(nologin|false)$/.test(shellOf(name)))
    throw new CanNotContain(
      `Programs can not run as ${name}, who may sign in: name a user for programs alone in GJM_RUN_AS.`,
    );
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
