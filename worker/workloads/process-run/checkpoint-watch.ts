import { constants, copyFile, lstat, open, readdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { cleanText } from '@gjm/core/text/clean.js';
import type { ProgramTask } from '../../containment/program-task.js';
import type { Output } from '../define.js';

/** From one look into the folder to the next, in ms. */
const everyMs = 500;
const mostEntries = 10_000;

export interface CheckpointWatchOptions {
  task: Pick<ProgramTask, 'folder' | 'user' | 'limits'>;
  /** Where copies go. */
  checkpointDir: string;
  onCheckpoint: (file: Output) => void;
}

interface Seen {
  name: string;
  /** Tells one file from another that took its name. */
  identity: string;
  changedMs: number;
}

/**
 * Looks for files that appear whole in a program's checkpoint folder (moved there from another name), and hands on a copy of the newest.
 * Names that begin with a dot or end in .tmp or .part are not whole yet. What the program does with its own files stays its business.
 */
export class CheckpointWatch {
  readonly #options: CheckpointWatchOptions;
  readonly #folder: string;
  #known = new Set<string>();
  #count = 0;
  #nextAt = 0;
  #looking: Promise<void> | null = null;

  constructor(options: CheckpointWatchOptions) {
    this.#options = options;
    this.#folder = join(options.task.folder, 'checkpoints');
  }

  /** Begins to look if it is time to and nothing is being copied: the work is watched meanwhile. */
  lookWhenDue(): void {
    if (this.#looking || performance.now() < this.#nextAt) return;
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
      this.#nextAt = performance.now() + everyMs;
    });
  }

  /** Looks for the last time. Never rejects: a checkpoint that can not be read costs time later, not the job. */
  async lookAgain(): Promise<void> {
    await this.#looking;
    await this.#look();
  }

  async #look(): Promise<void> {
    const found = await this.#list().catch(() => []);
    const fresh = found.filter(({ identity }) => !this.#known.has(identity));
    this.#known = new Set(found.map(({ identity }) => identity));
    const newest = fresh.reduce<Seen | null>(
      (best, one) => (best === null || one.changedMs >= best.changedMs ? one : best),
      null,
    );
    if (newest) await this.#take(newest).catch(() => undefined);
  }

  async #list(): Promise<Seen[]> {
    const names = (await readdir(this.#folder)).slice(0, mostEntries);
    const files: Seen[] = [];
    for (const name of names.filter(isWholeName)) {
      const stats = await lstat(join(this.#folder, name)).catch(() => null);
      if (stats && this.#isOurs(stats))
        files.push({
          name,
          identity: `${stats.ino} ${stats.mtimeMs} ${stats.size}`,
          changedMs: stats.ctimeMs,
        });
    }
    return files;
  }

  /** A regular file of the program's user, not too large. */
  #isOurs(stats: Stats): boolean {
    const { user, limits } = this.#options.task;
    return stats.isFile() && (user === null || stats.uid === user.uid) && stats.size <= limits.outputBytes;
  }

  async #take({ name }: Seen): Promise<void> {
    // The name may be a link by now, or a pipe that never opens.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(join(this.#folder, name), flags);
    try {
      if (!this.#isOurs(await file.stat())) return;
      const path = String((this.#count += 1));
      const target = join(this.#options.checkpointDir, path);
      // By its descriptor: whatever has that name now.
      await copyFile(`/proc/self/fd/${file.fd}`, target, constants.COPYFILE_FICLONE);
      const shownName = `${path}-${cleanText(name, 200)}`;
      this.#options.onCheckpoint({ name: shownName, path, mediaType: 'application/octet-stream' });
    } finally {
      await file.close();
    }
  }
}

const isWholeName = (name: string): boolean => !name.startsWith('.') && !/\.(tmp|part)$/.test(name);
