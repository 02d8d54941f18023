import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FromRunner } from '@gjm/core/wire/ipc.js';
import { openInside, uploadFile } from './outputs.js';
import type { AttemptKey, ServerLink } from '../server-link.js';

type Checkpoint = Extract<FromRunner, { type: 'checkpoint' }>;

export interface CheckpointUploadOptions {
  link: ServerLink;
  key: AttemptKey;
  /** Where the runner leaves them. */
  folder: string;
  /** Ends every upload. */
  signal: AbortSignal;
  /** The server has it. */
  onStored: (artifactId: string) => void;
  /** It was not stored; the work goes on all the same. */
  onFailed: (name: string, error: unknown) => void;
}

/**
 * Brings checkpoints to the server one at a time while the work goes on. At most one waits: a newer one takes its place, so that a slow
 * network never holds up the work nor fills the disk.
 */
export class CheckpointUploads {
  readonly #options: CheckpointUploadOptions;
  #waiting: Checkpoint | null = null;
  #running: Promise<void> | null = null;

  constructor(options: CheckpointUploadOptions) {
    this.#options = options;
  }

  add(checkpoint: Checkpoint): void {
    const replaced = this.#waiting;
    this.#waiting = checkpoint;
    if (replaced) void this.#remove(replaced);
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** Resolves when nothing is on its way any more. Never rejects. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting) {
      const checkpoint = this.#waiting;
      this.#waiting = null;
      try {
        this.#options.onStored(await this.#upload(checkpoint));
      } catch (error) {
        if (!this.#options.signal.aborted) this.#options.onFailed(checkpoint.name, error);
      }
      await this.#remove(checkpoint);
    }
  }

  async #upload({ name, path, mediaType }: Checkpoint): Promise<string> {
    const { link, key, folder, signal } = this.#options;
    const file = await openInside(folder, path);
    try {
      return await uploadFile(link, key, { role: 'CHECKPOINT', name, mediaType }, file, signal);
    } finally {
      await file.close();
    }
  }

  /** A file that stays is removed with the attempt's folder. */
  async #remove({ path }: Checkpoint): Promise<void> {
    await rm(join(this.#options.folder, path), { force: true }).catch(() => undefined);
  }
}
