import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { StorageError, type StoredObject } from '../application/ports.js';

/** Counts and digests what goes by; more than `maxBytes` is refused before it goes on. */
export class Meter {
  readonly #digest = createHash('sha256');
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.maxBytes) throw new StorageError('too-large');
    this.#digest.update(chunk);
  }

  /** What went by; ends the digest. */
  total(): StoredObject {
    return { bytes: this.#bytes, sha256: this.#digest.digest('hex') };
  }
}

/** The stream's chunks; its own failure is the sender's breaking off, and is told apart from a failure of the store. */
export async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw new StorageError('broken-off', { cause: error });
    });
    if (next.done) return;
    yield next.value;
  }
}

/** Runs `work` on a sender's stream. Whoever sent too much is read to its end, so that it hears the answer. */
export async function takeFrom<T>(stream: Readable, work: () => Promise<T>): Promise<T> {
  stream.on('error', () => undefined); // it may break off before it is read; reading tells
  try {
    return await work();
  } finally {
    if (!stream.readableEnded) stream.resume();
  }
}
