import type { ServerResponse } from 'node:http';

/** Ends a response with JSON, unless it has begun or its client is gone: then the connection is cut. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  for (const name of ['content-disposition', 'content-range', 'etag', 'accept-ranges'])
    response.removeHeader(name);
  response.setHeader('cache-control', 'no-store');
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** A refusal outside GraphQL: `{ code, message, requestId }`. */
export const sendFault = (
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  requestId: string,
): void => sendJson(response, status, { code, message, requestId });
