import { execFile } from 'node:child_process';
import { chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endProcesses } from './end-processes.js';
import { programFolders, programTaskVariable, type ProgramTask } from './program-task.js';

const run = promisify(execFile);

/** Folders of the system in which everybody may leave files. */
const sharedPlaces = ['/tmp', '/var/tmp', '/dev/shm'];

/** The place of one program: its folder, its user, and what ends all of its processes. */
export class ProgramRoom {
  readonly #task: ProgramTask;
  readonly #namespace: string[];

  /** Makes the folder. `namespace` is the command that begins a process namespace, or empty. */
  constructor(task: ProgramTask, namespace: string[]) {
    this.#task = task;
    this.#namespace = namespace;
    const { folder, user } = task;
    mkdirSync(folder, { mode: 0o711 });
    for (const name of programFolders) {
      const path = join(folder, name);
      mkdirSync(path, { mode: 0o700 });
      if (user) chownSync(path, user.uid, user.gid);
    }
  }

  /** The command that starts the runner in here. */
  wrap(command: string[]): string[] {
    return [...this.#namespace, ...command];
  }

  /** What the runner must be told. */
  get variables(): Record<string, string> {
    return { [programTaskVariable]: JSON.stringify(this.#task) };
  }

  /** One sentence for the attempt: as whom it ran, and what ended all of its processes. */
  get containment(): string {
    const { user, keeping } = this.#task;
    const who = user
      ? `The program ran as user ${user.name}`
      : "The program ran as the worker's own user, and so could read the worker's secrets";
    if (keeping === 'namespace')
      return `${who}, in a process namespace of its own, which the kernel ends whole.`;
    return keeping === 'user'
      ? `${who}; all processes of that user were ended with it.`
      : `${who}; its processes were known by a mark in their environment, which a program can take off.`;
  }

  /** Ends what is left of the program. Call it when its runner is gone. True when nothing is. */
  endProcesses(): Promise<boolean> {
    // In a namespace all of them ended with the runner; who has a user of his own is looked for by that once more.
    return endProcesses({ ...this.#task, keeping: this.#task.user ? 'user' : 'mark' });
  }

  /** Removes its folder and what its user left elsewhere. Rejects when something can not be removed. */
  async remove(): Promise<void> {
    const { folder, user } = this.#task;
    const left = user ? sharedPlaces.flatMap((place) => ownedIn(place, user.uid)) : [];
    // Not Node's own: this one copes with paths of any length.
    await run('rm', ['-rf', '--one-file-system', '--', folder, ...left], { env: { PATH: '/usr/bin:/bin' } });
  }
}

function ownedIn(place: string, uid: number): string[] {
  try {
    return readdirSync(place)
      .map((name) => join(place, name))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid === uid);
  } catch {
    return []; // this system has no such place
  }
}
