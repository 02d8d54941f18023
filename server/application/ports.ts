import type { Readable } from 'node:stream';

/** Why bytes could not be stored. `too-large` and `broken-off` are the sender's, `no-space` is ours. */
export class StorageError extends Error {
  constructor(
    readonly reason: 'no-space' | 'too-large' | 'broken-off',
    options?: { cause?: unknown },
  ) {
    super(`The bytes were not stored: ${reason}.`, options);
    this.name = 'StorageError';
  }
}

/** A part of a file: byte offsets from 0, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Bytes under keys that the server makes; names given by users never get here. A key appears only when all its bytes are safe: it is
 * either whole or absent. Keys are `segment/segment/…` of letters, digits, `_` and `-`.
 */
export interface ArtifactStore {
  /** Takes the stream to its end with back-pressure. Throws {@link StorageError} and leaves nothing behind when it can not. */
  put(key: string, stream: Readable, limits: { maxBytes: number }): Promise<StoredObject>;
  /** A stream of the bytes, or null when there is no such key. Destroying the stream frees what it holds. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  stat(key: string): Promise<{ bytes: number } | null>;
  /** Removing what is not there is a success. */
  remove(key: string): Promise<void>;
  /** Every key with the time it was written, parts of broken-off writes included, for sweeping orphans. */
  list(): AsyncIterable<{ key: string; writtenAt: Date }>;
  /** Free bytes where the store writes. */
  freeBytes(): Promise<number>;
}

/** What the application says while it works. Fields named token, password, secret or authorization are never printed. */
export interface Logger {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}
