import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ServedFile } from '../../application/files/files.js';
import { parseRange } from './byte-range.js';
import { attachmentNamed } from './content-disposition.js';

/** Media types are given by workloads: one that is not plainly written is not passed on. */
const mediaTypeForm = /^[\w!#$&^.+-]{1,63}\/[\w!#$&^.+-]{1,63}$/;

/**
 * Sends a file, or the part asked for, as an attachment that no browser runs. Streams with back-pressure; when the client goes away the
 * file is closed. False when the bytes are gone: nothing was sent then.
 */
export async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: ServedFile,
): Promise<boolean> {
  const etag = `"${file.sha256}"`;
  setHeaders(response, file, etag);
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return true;
  }
  const { range: header, 'if-range': condition } = request.headers;
  const range = parseRange(condition === undefined || condition === etag ? header : undefined, file.bytes);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${file.bytes}`, 'content-length': 0 }).end();
    return true;
  }
  const part = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  const stream = request.method === 'HEAD' || file.bytes === 0 ? null : await file.open(part);
  if (stream === null && request.method !== 'HEAD' && file.bytes > 0) return false;
  if (range !== 'whole') response.setHeader('content-range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  response.writeHead(range === 'whole' ? 200 : 206, { 'content-length': part.end - part.start + 1 });
  if (stream === null) response.end();
  else await pipeline(stream, response).catch(() => undefined); // the client left, or the disk failed: either way the answer is broken off
  return true;
}

function setHeaders(response: ServerResponse, file: ServedFile, etag: string): void {
  const mediaType = mediaTypeForm.test(file.mediaType) ? file.mediaType : 'application/octet-stream';
  response.setHeader('content-type', mediaType);
  response.setHeader('content-disposition', attachmentNamed(file.name));
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  response.setHeader('cache-control', 'private, max-age=3600');
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('etag', etag);
}
