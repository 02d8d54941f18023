import { BackOff } from './back-off.js';
import { numberOf } from './big-int.js';
import { TransferError, UnreachableError } from './errors.js';
import { ArtifactDocument, type ArtifactFieldsFragment } from './generated/graphql.js';
import { reach } from './http.js';
import { anySignal, pause } from './pause.js';
import { isTransient } from './retry.js';
import { PlainSha256, type Digest } from './sha256.js';
import type { TransferContext } from './upload.js';

export type Artifact = ArtifactFieldsFragment;

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
}

/** Tries in a row that may bring no new byte before the server counts as unreachable. */
const emptyTries = 8;

/** Where one download stands. */
interface Progress {
  url: string;
  received: number;
  total: number;
  renewed: boolean;
}

/** Bytes that `response` repeats before the first new one; throws when it is no continuation of what is here. */
function repeatedBytes(response: Response, progress: Progress): number {
  if (response.status === 200) return progress.received;
  const start = Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? NaN);
  if (response.status === 206 && start === progress.received) return 0;
  throw new TransferError(`The server answered ${response.status} to a range request.`, response.status);
}

/** Each read has a deadline of its own: a big file may take hours, a silent connection may not. */
async function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silentMs: number,
): Promise<Uint8Array | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UnreachableError('The download fell silent.')), silentMs);
  });
  try {
    const { done, value } = await Promise.race([reader.read(), late]);
    return done ? null : value;
  } catch (cause) {
    throw cause instanceof UnreachableError
      ? cause
      : new UnreachableError('The download broke off.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Yields new bytes from one connection until it ends or breaks. */
async function* oneConnection(
  context: TransferContext,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const headers: Record<string, string> =
    progress.received > 0 ? { range: `bytes=${progress.received}-` } : {};
  const response = await reach(context.fetch, progress.url, { headers }, signal);
  if (response.status >= 500)
    throw new UnreachableError(`The download was answered with ${response.status}.`);
  if (response.status === 404) throw new TransferError('The file is gone, or its link has expired.', 404);
  if (!response.ok || !response.body)
    throw new TransferError(`The download was refused (${response.status}).`, response.status);
  let skip = repeatedBytes(response, progress);
  const reader = response.body.getReader();
  try {
    for (;;) {
      const piece = await readInTime(reader, context.silentMs);
      if (piece === null) return;
      const fresh = piece.subarray(Math.min(skip, piece.length));
      skip -= piece.length - fresh.length;
      if (fresh.length === 0) continue;
      progress.received += fresh.length;
      yield fresh;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** The links of files run out; the file's own record gives a fresh one. */
async function renewUrl(
  context: TransferContext,
  id: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { node } = await context.request(ArtifactDocument, { id }, { signal });
  if (node?.__typename !== 'Artifact') throw new TransferError('The file is gone.', 404);
  progress.url = new URL(node.url, context.origin).href;
  progress.renewed = true;
}

/**
 * The bytes of an artifact, resumed by range wherever a connection breaks. Ends normally only when size and SHA-256 are those the server
 * recorded; a reader that must not see wrong bytes keeps them aside until then.
 */
export async function* downloadBytes(
  context: TransferContext,
  artifact: Artifact,
  digest: Digest = new PlainSha256(),
  options: DownloadOptions = {},
): AsyncGenerator<Uint8Array, void, void> {
  const signal = anySignal(context.closed, options.signal);
  const url = new URL(artifact.url, context.origin).href;
  const progress: Progress = { url, received: 0, total: numberOf(artifact.bytes), renewed: false };
  const backOff = new BackOff();
  while (progress.received < progress.total) {
    const before = progress.received;
    try {
      for await (const piece of oneConnection(context, progress, signal)) {
        if (progress.received > progress.total)
          throw new TransferError(`${artifact.name} is larger than recorded.`);
        digest.update(piece);
        yield piece;
      }
      if (progress.received === before) throw new UnreachableError(`${artifact.name} came without bytes.`);
    } catch (error) {
      if (error instanceof TransferError && error.status === 404 && !progress.renewed) {
        await renewUrl(context, artifact.id, progress, signal);
        continue;
      }
      if (!isTransient(error)) throw error;
      if (progress.received > before) backOff.reset();
      if (backOff.tries + 1 >= emptyTries) throw error;
    }
    if (progress.received < progress.total) await pause(backOff.next(), signal);
  }
  if (digest.hex() !== artifact.sha256)
    throw new TransferError(`${artifact.name} arrived whole, but its SHA-256 differs.`);
}

/** The same as a web stream, for browsers and for whoever pipes. */
export function streamOf(bytes: AsyncGenerator<Uint8Array, void, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await bytes.return();
    },
  });
}
