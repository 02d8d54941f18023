import { ApiError, TransferError, UnreachableError } from './errors.js';
import { CreateUploadDocument, UploadDocument, type UploadFieldsFragment } from './generated/graphql.js';
import { reach, type Fetch } from './http.js';
import { anySignal } from './pause.js';
import type { Request } from './request.js';
import { unwrap } from './result.js';
import { retrying } from './retry.js';

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
}

const tries = 6;

function sizeOf(source: UploadSource): number | undefined {
  if (source instanceof Uint8Array) return source.length;
  return typeof source === 'function' ? undefined : source.size;
}

/** `duplex` is what Node's fetch asks for with a body that streams; the DOM's types do not know it. */
function putOf(source: UploadSource, mediaType: string | undefined): RequestInit & { duplex?: 'half' } {
  const headers = { 'content-type': mediaType ?? 'application/octet-stream' };
  if (typeof source !== 'function') return { method: 'PUT', headers, body: source as BodyInit };
  return { method: 'PUT', headers, body: source() as unknown as BodyInit, duplex: 'half' };
}

async function put(
  context: TransferContext,
  upload: Upload,
  input: UploadInput,
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(upload.url, context.origin).href;
  const response = await reach(context.fetch, url, putOf(input.source, input.mediaType), signal);
  const text = await response.text().catch(() => '');
  // The first try may have arrived whole while its answer was lost: the server then refuses a second one, and all is well.
  if (response.ok || (response.status === 409 && (await isComplete(context, upload.id, signal)))) return;
  const message =
    `The upload of ${input.name} was refused with status ${response.status}. ${text.slice(0, 300)}`.trim();
  if (response.status >= 500) throw new UnreachableError(message);
  throw new TransferError(message, response.status);
}

async function readUpload(context: TransferContext, id: string, signal: AbortSignal): Promise<Upload | null> {
  const { node } = await context.request(UploadDocument, { id }, { signal });
  return node?.__typename === 'Upload' ? node : null;
}

const isComplete = async (context: TransferContext, id: string, signal: AbortSignal): Promise<boolean> =>
  (await readUpload(context, id, signal))?.complete ?? false;

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
