import { accessSync, constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cloneRoot } from './clone.js';
import { StackProblem, systemCode } from './problem.js';

/** The server's default limit for one upload, in bytes. */
const UPLOAD_BYTES = 2 * 1024 ** 3;

/**
 * The picture to enlarge, as an absolute path: `given` seen from where the person stood, else the sample. Fails
 * with one sentence for what can be told without looking inside: absent, no file, empty, too large, not readable.
 */
export function choosePicture(given: string | undefined, startedIn: string): string {
  if (given === undefined) return join(cloneRoot, 'samples', 'harbour.png');
  const path = resolve(startedIn, given);
  try {
    const file = statSync(path);
    if (!file.isFile()) throw new StackProblem(`${path} is not a file.`);
    if (file.size === 0) throw new StackProblem(`${path} is empty.`);
    if (file.size > UPLOAD_BYTES)
      throw new StackProblem(`${path} is larger than the 2 GiB one upload may have.`);
    accessSync(path, constants.R_OK);
    return path;
  } catch (error) {
    if (error instanceof StackProblem) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new StackProblem(`There is no file ${path}.`);
    if (code === 'EACCES') throw new StackProblem(`This user may not read ${path}.`);
    throw new StackProblem(`${path} can not be read (${code ?? String(error)}).`);
  }
}

/** Width and height in pixels from the head of a PNG file. Fails when it is none. */
export async function readPngSize(path: string): Promise<{ width: number; height: number }> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(24);
    await file.read(head, 0, head.length, 0);
    if (head.toString('latin1', 1, 4) !== 'PNG') throw new StackProblem(`${path} is not a PNG picture.`);
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  } finally {
    await file.close();
  }
}
