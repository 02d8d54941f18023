import { BackOff } from './back-off.js';
import { numberOf } from './big-int.js';
import { TransferError, UnreachableError } from './errors.js';
import { reach } from './http.js';
import { anySignal, pause } from './pause.js';
import { isTransient } from './retry.js';
import { PlainSha256, type Digest } from './sha256.js';
import { readStoredFile, type StoredFile } from './stored-file.js';
import type { TransferContext } from './upload.js';
import { Watchdog } from './watchdog.js';

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

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new UnreachableError('The download broke off.', { cause });
  }
}

async function open(context: TransferContext, progress: Progress, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> =
    progress.received > 0 ? { range: `bytes=${progress.received}-` } : {};
  const response = await reach(context.fetch, progress.url, { headers }, signal);
  if (response.status >= 500)
    throw new UnreachableError(`The download was answered with ${response.status}.`);
  if (response.status === 404) throw new TransferError('The file is gone, or its link has expired.', 404);
  if (!response.ok)
    throw new TransferError(`The download was refused (${response.status}).`, response.status);
  return response;
}

/** Yields new bytes from one connection until it ends or breaks. */
async function* oneConnection(
  context: TransferContext,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const watchdog = new Watchdog(context.silentMs);
  const either = anySignal(signal, watchdog.signal);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const response = await open(context, progress, either);
    let skip = repeatedBytes(response, progress);
    reader = response.body?.getReader();
    while (reader) {
      watchdog.touch();
      const piece = await readPiece(reader, either);
      if (piece === null) return;
      const fresh = piece.subarray(Math.min(skip, piece.length));
      skip -= piece.length - fresh.length;
      progress.received += fresh.length;
      // A slow reader is not a silent server.
      watchdog.stop();
      if (fresh.length > 0) yield fresh;
    }
  } finally {
    watchdog.stop();
    reader?.cancel().catch(() => undefined);
  }
}

/** The links of files run out; the file's own record gives a fresh one. */
async function renewUrl(
  context: TransferContext,
  id: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const file = await readStoredFile(context.request, id, { signal });
  if (file === null) throw new TransferError('The file is gone.', 404);
  progress.url = new URL(file.url, context.origin).href;
  progress.renewed = true;
}

/**
 * The bytes of an artifact, resumed by range wherever a connection breaks. Ends normally only when size and SHA-256 are those the server
 * recorded; a reader that must not see wrong bytes keeps them aside until then.
 */
export async function* downloadBytes(
  context: TransferContext,
  artifact: StoredFile,
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
