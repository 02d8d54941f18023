import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../logger.js';
import { removeAll, setAside, setAsideBefore } from './left-files.js';
import type { ProgramUser } from './program-task.js';

/** When more than this many wait, whoever brings one more waits until all are removed: else programs could fill the disk faster than we empty it. */
const mostWaiting = 16;

export interface RemovalsOptions {
  /** A folder of the worker on the file system of what is taken; this one makes its own there. */
  parent: string;
  instanceId: string;
  log: Logger;
  remove?: typeof removeAll;
}

/**
 * Takes what programs leave out of their users' reach at once, and removes it in its own time, one after the other: a program may leave a million
 * files, and its device must not wait for them. What is not removed when the worker ends is removed by its next life.
 */
export class Removals {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #log: Logger;
  readonly #remove: typeof removeAll;
  readonly #stop = new AbortController();
  #waiting: string[] = [];
  #working: Promise<void> | null = null;

  constructor({ parent, instanceId, log, remove = removeAll }: RemovalsOptions) {
    this.#folder = join(parent, 'removed');
    this.#prefix = `gjm-removed-${instanceId}-`;
    this.#log = log;
    this.#remove = remove;
    // No program's user gets through here.
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Whether this folder is where removals wait. */
  isAt(path: string): boolean {
    return path === this.#folder;
  }

  /** Resolves when nobody but the worker can reach this folder any more. Rejects when it can be neither moved nor removed. */
  async take(folder: string): Promise<void> {
    const aside = join(this.#folder, randomBytes(16).toString('hex'));
    try {
      await rename(folder, aside);
    } catch {
      // A file system that has no room for one more name.
      return removeAll([folder]);
    }
    await this.#add([aside]);
  }

  /** The same for all that a user has left in folders of the system. Call it when no process of the user lives. */
  async takeLeftBy(user: ProgramUser): Promise<void> {
    await this.#add(await setAside(user, this.#prefix));
  }

  /** Goes on with what an earlier life did not get to. */
  async resume(): Promise<void> {
    const waiting = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    void this.#add([...waiting, ...(await setAsideBefore(this.#prefix))]);
  }

  /** Removes nothing more. */
  close(): void {
    this.#stop.abort();
  }

  async #add(paths: readonly string[]): Promise<void> {
    if (paths.length === 0 || this.#stop.signal.aborted) return;
    this.#waiting.push(...paths);
    this.#working ??= this.#work();
    if (this.#waiting.length > mostWaiting) await this.#working;
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    const { signal } = this.#stop;
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      try {
        await this.#remove([path], signal);
      } catch (error) {
        if (signal.aborted) break;
        this.#log.warn({ err: error, path }, 'what a program left could not be removed');
      }
    }
    this.#working = null;
  }
}
