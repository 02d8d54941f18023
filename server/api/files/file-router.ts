import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Viewer } from '@gjm/core/access/policy.js';
import { unavailable } from '@gjm/core/errors.js';
import type { Accounts } from '../../application/accounts/accounts.js';
import type { Files } from '../../application/files/files.js';
import type { Received } from '../../application/files/receive-upload.js';
import type { FileKind } from '../../application/files/signed-url.js';
import type { Logger } from '../../application/ports.js';
import { describeError } from '../format-error.js';
import { identify, requestIdOf } from '../request.js';
import { sendFault, sendJson } from '../send-json.js';
import { serveFile } from './serve-file.js';

export interface FileApi {
  accounts: Pick<Accounts, 'identify' | 'findViewer'>;
  files: Pick<Files, 'verifyUrl' | 'findServedFile' | 'receiveUpload'>;
  logger: Logger;
}

const pathForm = /^\/files\/(upload|artifact)s\/(\w{1,64})$/;

/**
 * `GET` and `HEAD /files/uploads/<id>`, `/files/artifacts/<id>`, and `PUT /files/uploads/<id>`. Whatever is wrong with an address, its
 * signature or the viewer's rights is a 404 that looks like an unknown id.
 */
export function createFileRouter(api: FileApi) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!request.url?.startsWith('/files/')) return next();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    serve(api, request, response, requestId).catch((error: unknown) => {
      const { code, message, isBug, cause } = describeError(error);
      api.logger.error({ err: cause, requestId, code, isBug }, 'a file request failed');
      sendFault(response, code === 'UNAVAILABLE' ? 503 : 500, code, message, requestId);
    });
  };
}

async function serve(
  api: FileApi,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://server.invalid');
  const [, kind, id] = pathForm.exec(url.pathname) ?? [];
  const method = request.method ?? '';
  const notFound = () => sendFault(response, 404, 'NOT_FOUND', 'There is no file here.', requestId);
  if (!kind || !id || !(['GET', 'HEAD'].includes(method) || (method === 'PUT' && kind === 'upload')))
    return notFound();
  const viewer = await viewerOf(api, request, kind as FileKind, id, url.searchParams);
  if (method === 'PUT') {
    return answerPut(
      response,
      await api.files.receiveUpload(viewer, id, request, lengthOf(request)),
      requestId,
    );
  }
  const file = await api.files.findServedFile(viewer, kind as FileKind, id);
  if (!file || !(await serveFile(request, response, file))) notFound();
}

/** With a signature only that counts, and it gives what its signer may do now; without one the access token does. */
async function viewerOf(
  api: FileApi,
  request: IncomingMessage,
  kind: FileKind,
  id: string,
  query: URLSearchParams,
): Promise<Viewer | null> {
  const [by, exp, sig] = [query.get('by'), query.get('exp'), query.get('sig')];
  if (by !== null || exp !== null || sig !== null) {
    const signer = api.files.verifyUrl(kind, id, { by, exp, sig });
    return signer === null ? null : api.accounts.findViewer(signer);
  }
  const { identity, fault } = await identify(api.accounts, request.headers.authorization);
  if (fault) throw unavailable('Try again in a moment.', fault);
  return identity?.viewer ?? null;
}

function lengthOf(request: IncomingMessage): number | null {
  const length = request.headers['content-length'];
  return length === undefined ? null : Number(length);
}

function answerPut(response: ServerResponse, received: Received, requestId: string): void {
  switch (received.outcome) {
    case 'stored':
      return sendJson(response, 201, { id: received.id, bytes: received.bytes, sha256: received.sha256 });
    case 'unknown':
      return sendFault(response, 404, 'NOT_FOUND', 'There is no file here.', requestId);
    case 'already-complete':
      return sendFault(response, 409, 'UPLOAD_COMPLETE', 'This upload has its bytes already.', requestId);
    case 'too-large':
      return sendFault(
        response,
        413,
        'TOO_LARGE',
        `At most ${received.maxBytes} bytes may be sent here.`,
        requestId,
      );
    case 'differs':
      return sendFault(response, 422, 'DIGEST_DIFFERS', received.message, requestId);
    case 'no-space':
      return sendFault(response, 507, 'DISK_FULL', 'There is no space left here for these bytes.', requestId);
    case 'broken-off':
      return sendFault(response, 400, 'BROKEN_OFF', 'The bytes did not all come.', requestId);
  }
}
