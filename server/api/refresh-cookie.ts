import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from './context.js';
import type { Clients } from './proxies.js';

const cookieName = 'gjm_refresh';

/**
 * The caller of an HTTP request with its refresh cookie: httpOnly (no script reads it), SameSite=Strict (no other site sends it), for
 * /graphql alone, and Secure wherever the page came over https, the word of a proxy of ours for that included.
 */
export function callerOf(clients: Clients, request: IncomingMessage, response: ServerResponse): Caller {
  const attributes = `Path=/graphql; HttpOnly; SameSite=Strict${clients.isHttps(request) ? '; Secure' : ''}`;
  return {
    address: clients.addressOf(request),
    refreshCookie: readCookie(request.headers.cookie),
    setRefreshCookie(token, expiresAt = new Date(0)) {
      response.setHeader(
        'set-cookie',
        `${cookieName}=${token ?? ''}; Expires=${expiresAt.toUTCString()}; ${attributes}`,
      );
    },
  };
}

function readCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === cookieName && value) return value;
  }
  return null;
}
