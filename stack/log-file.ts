import { closeSync, copyFileSync, openSync, readSync, renameSync, statSync, truncateSync } from 'node:fs';

/** A log is set aside as `<name>.1` once it is larger than this, so that two of them bound a process. */
const LOG_BYTES = 16 * 1024 * 1024;

/** Size of a file in bytes, 0 when there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Opens a log for appending and returns the descriptor; a large log of an earlier life is set aside first. */
export function openLog(path: string): number {
  if (sizeOf(path) > LOG_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/**
 * Bounds a log while its process writes: copies it aside and empties it in place (the writer appends, so it
 * goes on at the new end). Lines written between the two steps are lost; that is the stated overflow act.
 */
export function boundLog(path: string): void {
  if (sizeOf(path) <= LOG_BYTES) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path, 0);
}

/** What was written to a log after byte `start`, at most the last 4 KiB of it. */
export function readTail(path: string, start: number): string {
  const end = sizeOf(path);
  const from = Math.max(start > end ? 0 : start, end - 4096);
  const bytes = Buffer.alloc(Math.max(0, end - from));
  if (bytes.length === 0) return '';
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)).toString('utf8');
  } finally {
    closeSync(file);
  }
}
