import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const readBytes = 256 * 1024;

/**
 * A first-in first-out list of lines in a file: where unacknowledged reports wait while the server is away. Bounded by the file's length,
 * which starts anew when all was read. Calls are synchronous: they happen only in an outage, in pieces of at most 64 KiB, and keep order
 * by themselves.
 */
export class SpillFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #file: number | null = null;
  #writtenBytes = 0;
  #readBytes = 0;
  #rest = Buffer.alloc(0);
  #lines: string[] = [];

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0 && this.#readBytes === this.#writtenBytes;
  }

  /** Whether the bound is reached; an `add` still works then, so that what was already taken over is not lost. */
  get isFull(): boolean {
    return this.#writtenBytes >= this.#maxBytes;
  }

  /** Appends a line (without a newline in it). Throws the system's error, with nothing added, when the disk is full. */
  add(line: string): void {
    this.#file ??= openSync(this.#path, 'w+', 0o600);
    const bytes = Buffer.from(`${line}\n`);
    let done = 0;
    while (done < bytes.length)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#writtenBytes + done);
    this.#writtenBytes += bytes.length;
  }

  /** Takes the oldest line, or null. */
  take(): string | null {
    if (this.#lines.length === 0) this.#fill();
    return this.#lines.shift() ?? null;
  }

  /** Forgets everything and removes the file. */
  close(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(this.#path, { force: true });
  }

  #fill(): void {
    if (this.#file === null) return;
    while (this.#lines.length === 0 && this.#readBytes < this.#writtenBytes) {
      const chunk = Buffer.alloc(Math.min(readBytes, this.#writtenBytes - this.#readBytes));
      const got = readSync(this.#file, chunk, 0, chunk.length, this.#readBytes);
      this.#readBytes += got;
      const parts = Buffer.concat([this.#rest, chunk.subarray(0, got)])
        .toString('utf8')
        .split('\n');
      this.#rest = Buffer.from(parts.pop() ?? '');
      this.#lines = parts;
    }
    if (this.#readBytes === this.#writtenBytes && this.#writtenBytes > 0) {
      ftruncateSync(this.#file, 0);
      this.#readBytes = 0;
      this.#writtenBytes = 0;
    }
  }
}
