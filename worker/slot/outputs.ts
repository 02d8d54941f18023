import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { FromRunner } from '@gjm/core/wire/ipc.js';
import type { ArtifactQuery } from '@gjm/core/wire/worker-api.js';
import { LinkError } from '../link/link-error.js';
import { untilAnswered } from '../link/retry.js';
import type { AttemptKey, ServerLink } from '../server-link.js';
import { AttemptFailure } from './attempt-failure.js';

type Output = Extract<FromRunner, { type: 'done' }>['outputs'][number];

const mostOutputs = 10_000;
/** A PUT that broke off (400) or arrived damaged (422) is tried so often in all. */
const tries = 3;

/** Uploads what the runner says it made, in order, and returns the artifacts' ids. Fails with an AttemptFailure when a file is not there. */
export async function uploadOutputs(
  link: ServerLink,
  key: AttemptKey,
  outputs: Output[],
  outputDir: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (outputs.length > mostOutputs)
    throw new AttemptFailure('OUTPUT_INVALID', `The job made more than ${mostOutputs} files.`);
  const ids: string[] = [];
  for (const { name, path, mediaType } of outputs) {
    const file = await openInside(outputDir, path);
    try {
      ids.push(await uploadFile(link, key, { role: 'RESULT', name, mediaType }, file, signal));
    } finally {
      await file.close();
    }
  }
  return ids;
}

/** Uploads one open file, however often the server must be asked; reads it twice (digest, then bytes). */
export async function uploadFile(
  link: ServerLink,
  key: AttemptKey,
  about: Pick<ArtifactQuery, 'role' | 'name' | 'mediaType'>,
  file: FileHandle,
  signal: AbortSignal,
): Promise<string> {
  const { bytes, sha256 } = await digest(file);
  for (let n = 1; ; n += 1) {
    try {
      return await untilAnswered(
        () => link.artifact(key, { ...about, bytes, sha256 }, read(file, bytes), signal),
        {
          signal,
        },
      );
    } catch (error) {
      if (!(error instanceof LinkError) || error.fault === 'unreachable') throw error;
      if ((error.status === 400 || error.status === 422) && n < tries) continue;
      if (error.status === 401 || error.status === 403) throw error;
      if (error.status === 507)
        throw new AttemptFailure('DISK_FULL', "The server's disk is full.", { cause: error });
      throw new AttemptFailure('OUTPUT_INVALID', `${about.name} was not stored. ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** Only a regular file that truly lies in the folder: no links out of it, no devices, no pipes. */
export async function openInside(folder: string, path: string): Promise<FileHandle> {
  const refuse = (why: string, cause?: unknown) =>
    new AttemptFailure('OUTPUT_INVALID', `The output ${path.slice(0, 200)} ${why}.`, { cause });
  const root = await realpath(folder);
  const real = await realpath(resolve(root, path)).catch((error: unknown) => {
    throw refuse('does not exist', error);
  });
  if (!real.startsWith(root + sep)) throw refuse('lies outside of the output folder');
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw refuse('can not be read', error);
    },
  );
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw refuse('is not a regular file');
}

async function digest(file: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const { size } = await file.stat();
  let bytes = 0;
  for await (const chunk of read(file, size)) {
    bytes += (chunk as Buffer).length;
    hash.update(chunk as Buffer);
  }
  return { bytes, sha256: hash.digest('hex') };
}

const read = (file: FileHandle, bytes: number) =>
  file.createReadStream({
    start: 0,
    end: Math.max(0, bytes - 1),
    autoClose: false,
    highWaterMark: 256 * 1024,
  });
