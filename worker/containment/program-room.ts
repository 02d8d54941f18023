import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildExit } from '../child/classify-exit.js';
import { endProcesses } from './end-processes.js';
import { endBehindFirstProcess } from './first-process.js';
import type { MemoryGroups } from './memory-group.js';
import type { Removals } from './removals.js';
import { markVariable, programFolders, programTaskVariable, type ProgramTask } from './program-task.js';

/** What takes away what is left of a program. */
interface Cleaners {
  removals: Removals;
  groups: MemoryGroups | null;
}

/** The place of one program: its folder, its user, and what ends all of its processes. */
export class ProgramRoom {
  readonly #task: ProgramTask;
  readonly #namespace: string[];
  readonly #cleaners: Cleaners;

  /** Makes the folder. `namespace` is the command that begins a process namespace, or empty. */
  constructor(task: ProgramTask, namespace: string[], cleaners: Cleaners) {
    this.#task = task;
    this.#cleaners = cleaners;
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

  /** How the runner ended, from how the command did. */
  endOfRunner(exit: ChildExit): ChildExit {
    return this.#namespace.length > 0 ? endBehindFirstProcess(exit) : exit;
  }

  /** What the runner must be told. */
  get variables(): Record<string, string> {
    // The mark is the runner's as well: when it is killed while it starts the program, its copy must be known.
    return { [programTaskVariable]: JSON.stringify(this.#task), [markVariable]: this.#task.mark };
  }

  /** One sentence for the attempt: as whom it ran, and what ended all of its processes. */
  get containment(): string {
    const { user, keeping } = this.#task;
    const who = user
      ? `The program ran as user ${user.name}`
      : "The program ran as the worker's own user, and so could read the worker's secrets";
    if (keeping === 'namespace')
      return `${who}, in a process namespace of its own, which the kernel ends whole${this.#memory}.`;
    return keeping === 'user'
      ? `${who}; all processes of that user were ended with it${this.#memory}.`
      : `${who}; its processes were known by a mark in their environment, which a program can take off${this.#memory}.`;
  }

  get #memory(): string {
    const { group } = this.#task;
    if (!group) return '; no control group of its own counted its memory';
    if (group.limitBytes === null) return '; a control group of its own counted its memory, without a limit';
    return `; a control group of its own held its memory to ${group.limitBytes / 1024 ** 2} MiB`;
  }

  /** Ends what is left of the program. Call it when its runner is gone. True when nothing is. */
  endProcesses(): Promise<boolean> {
    // In a namespace all of them ended with the runner; who has a user of his own is looked for by that once more.
    return endProcesses({ ...this.#task, keeping: this.#task.user ? 'user' : 'mark' });
  }

  /**
   * Takes its folder, and what its user left elsewhere, out of the reach of the program that comes next; it is removed later. Rejects when
   * something can not be taken. Call it when no process of it is left.
   */
  async remove(): Promise<void> {
    const { folder, user, group } = this.#task;
    const { removals, groups } = this.#cleaners;
    await Promise.all([
      removals.take(folder),
      user && removals.takeLeftBy(user),
      group && groups?.remove(group),
    ]);
  }
}
