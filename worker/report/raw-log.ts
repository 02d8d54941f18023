import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';

/** Output up to this size stays in memory, in bytes. */
const memoryBytes = 64 * 1024;
/** Bytes beyond this are not kept. */
const longestBytes = 1024 * 1024 * 1024;

/** The raw bytes of one stream of an attempt: in memory while small (no file for a small job), in a file beyond. */
export class RawLog {
  readonly path: string;
  #chunks: Buffer[] = [];
  #file: number | null = null;
  #bytes = 0;
  #isBroken = false;

  constructor(path: string) {
    this.path = path;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Never throws: keeping the raw log must not change a job's result. What a full disk refuses is left out. */
  add(chunk: Buffer): void {
    if (this.#isBroken || this.#bytes + chunk.length > longestBytes) return;
    this.#bytes += chunk.length;
    if (this.#file === null && this.#bytes <= memoryBytes) this.#chunks.push(chunk);
    else this.#write(chunk);
  }

  /** Puts all of it into the file; null when there is nothing, or no disk for it. */
  save(): { path: string; bytes: number } | null {
    if (this.#bytes === 0) return null;
    this.#write(Buffer.alloc(0));
    if (this.#file === null) return null;
    return { path: this.path, bytes: fstatSync(this.#file).size };
  }

  close(): void {
    this.#chunks = [];
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(this.path, { force: true });
  }

  #write(chunk: Buffer): void {
    try {
      this.#file ??= openSync(this.path, 'wx', 0o600);
      for (const bytes of [...this.#chunks.splice(0), chunk]) writeAll(this.#file, bytes);
    } catch {
      this.#isBroken = true;
    }
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}
