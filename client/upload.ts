import { ApiError, TransferError, UnreachableError } from './errors.js';
import { CreateUploadDocument, UploadDocument, type UploadFieldsFragment } from './generated/graphql.js';
import { reach, type Fetch } from './http.js';
import { anySignal } from './pause.js';
import type { Request } from './request.js';
import { unwrap } from './result.js';
import { retrying } from './retry.js';
import { Watchdog } from './watchdog.js';

export type Upload = UploadFieldsFragment;

/** Bytes to send. A function opens them anew for each try, so that a broken-off sending can start over. */
export type UploadSource = Uint8Array | Blob | (() => AsyncIterable<Uint8Array>);

export interface UploadInput {
  /** A label for people; the server makes its own storage name. */
  name: string;
  source: UploadSource;
  mediaType?: string | undefined;
  /** Size in bytes when it is known beforehand; taken from the source where it has one. */
  bytes?: number | undefined;
  /** Lower-case hex; the server refuses other content. */
  sha256?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What transfers of one client share. */
export interface TransferContext {
  fetch: Fetch;
  origin: string;
  request: Request;
  closed: AbortSignal;
  /** How long a transfer may stand still, in ms, before its connection counts as dead. */
  silentMs: number;
}

const tries = 6;
/** Bytes per second below which a sending that can not be observed counts as dead. */
const slowest = 50_000;

function sizeOf(source: UploadSource): number | undefined {
  if (source instanceof Uint8Array) return source.length;
  return typeof source === 'function' ? undefined : source.size;
}

async function* observed(source: AsyncIterable<Uint8Array>, watchdog: Watchdog): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    watchdog.touch();
    yield piece;
  }
  watchdog.touch();
}

/** Each piece a stream gives gets a new deadline; a body that is handed over whole gets one for all of it. */
async function send(
  context: TransferContext,
  url: string,
  { source, mediaType }: UploadInput,
  signal: AbortSignal,
): Promise<{ status: number; ok: boolean; text: string }> {
  const wholeMs = typeof source === 'function' ? 0 : ((sizeOf(source) ?? 0) / slowest) * 1_000;
  const watchdog = new Watchdog(context.silentMs + wholeMs);
  const body = (typeof source === 'function' ? observed(source(), watchdog) : source) as BodyInit;
  // `duplex` is what Node's fetch asks for with a body that streams; the DOM's types do not know it.
  const init: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers: { 'content-type': mediaType ?? 'application/octet-stream' },
    body,
    duplex: 'half',
  };
  try {
    const response = await reach(context.fetch, url, init, anySignal(signal, watchdog.signal));
    return { status: response.status, ok: response.ok, text: await response.text().catch(() => '') };
  } finally {
    watchdog.stop();
  }
}

async function put(
  context: TransferContext,
  upload: Upload,
  input: UploadInput,
  signal: AbortSignal,
): Promise<void> {
  const { status, ok, text } = await send(context, new URL(upload.url, context.origin).href, input, signal);
  // The first try may have arrived whole while its answer was lost: the server then refuses a second one, and all is well.
  if (ok || (status === 409 && (await readUpload(context, upload.id, signal))?.complete)) return;
  const message =
    `The upload of ${input.name} was refused with status ${status}. ${text.slice(0, 300)}`.trim();
  if (status >= 500) throw new UnreachableError(message);
  throw new TransferError(message, status);
}

async function readUpload(context: TransferContext, id: string, signal: AbortSignal): Promise<Upload | null> {
  const { node } = await context.request(UploadDocument, { id }, { signal });
  return node?.__typename === 'Upload' ? node : null;
}

/** Announces a file, sends its bytes, again from the start when that breaks off, and returns it as the server stored it. */
export async function uploadFrom(context: TransferContext, input: UploadInput): Promise<Upload> {
  const signal = anySignal(context.closed, input.signal);
  const announced = {
    name: input.name,
    bytes: input.bytes ?? sizeOf(input.source) ?? null,
    mediaType: input.mediaType ?? null,
    sha256: input.sha256 ?? null,
  };
  const { createUpload } = await context.request(
    CreateUploadDocument,
    { input: announced },
    { signal, tries },
  );
  const { upload } = unwrap(createUpload);
  await retrying(() => put(context, upload, input, signal), tries, signal);
  const stored = await readUpload(context, upload.id, signal);
  if (stored === null) throw new ApiError('NOT_FOUND', `The upload ${upload.id} is gone.`);
  return stored;
}
