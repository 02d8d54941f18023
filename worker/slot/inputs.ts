import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Checkpoint, ClaimAnswer } from '@gjm/core/wire/worker-api.js';
import { isFault, LinkError } from '../link/link-error.js';
import { untilAnswered } from '../link/retry.js';
import type { AttemptKey, ServerLink } from '../server-link.js';
import { AttemptFailure, diskFailure } from './attempt-failure.js';

type Input = Extract<ClaimAnswer, { granted: true }>['inputs'][number];

/** A file whose bytes differ from what was promised is fetched this often in all: the first time may have been the wire. */
const tries = 3;

/**
 * Fetches every input into `folder` under a name of ours, checked by size and digest. Returns absolute paths by field. Repeats for ever
 * while the server is away (`signal` ends that); fails with an AttemptFailure when a file is gone or stays wrong.
 */
export async function fetchInputs(
  link: ServerLink,
  key: AttemptKey,
  inputs: Input[],
  folder: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  if (inputs.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [index, input] of inputs.entries()) {
    const path = join(folder, String(index));
    await fetchInput(link, key, input, path, signal);
    paths[input.field] = path;
  }
  return paths;
}

/**
 * Fetches the newest of these checkpoints that is still there and intact to `path`. Null when there is none, as when a job starts for the
 * first time: what can not be fetched costs time, never the job.
 */
export async function fetchCheckpoint(
  link: ServerLink,
  key: AttemptKey,
  checkpoints: readonly Checkpoint[],
  path: string,
  signal: AbortSignal,
): Promise<Checkpoint | null> {
  for (const checkpoint of checkpoints) {
    try {
      await fetchInput(link, key, { ...checkpoint, field: 'checkpoint' }, path, signal);
      return checkpoint;
    } catch (error) {
      if (!(error instanceof AttemptFailure) || error.code !== 'INVALID_INPUT') throw error;
    }
  }
  return null;
}

async function fetchInput(
  link: ServerLink,
  key: AttemptKey,
  input: Input,
  path: string,
  signal: AbortSignal,
) {
  for (let n = 1; n <= tries; n += 1) {
    const got = await untilAnswered(() => download(link, key, input.fileId, path, signal), { signal }).catch(
      (error: unknown) => {
        if (isFault(error, 'gone'))
          throw new AttemptFailure('INVALID_INPUT', `The file of ${input.field} is no longer there.`, {
            cause: error,
          });
        throw diskFailure(error);
      },
    );
    if (got.bytes === input.bytes && got.sha256 === input.sha256) return;
  }
  throw new AttemptFailure('INVALID_INPUT', `The file of ${input.field} did not arrive as it was uploaded.`);
}

async function download(
  link: ServerLink,
  key: AttemptKey,
  fileId: string,
  path: string,
  signal: AbortSignal,
) {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const body = await link.input(key, fileId, signal);
  try {
    await pipeline(body, measure, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    // What is not our disk's fault is the wire's: worth repeating.
    if (diskFailure(error) !== error || (error as NodeJS.ErrnoException).syscall === 'open')
      throw diskFailure(error);
    throw new LinkError('unreachable', null, 'The download broke off.', { cause: error });
  }
  return { bytes, sha256: hash.digest('hex') };
}
