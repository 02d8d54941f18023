import type { Fetch } from './http.js';
import type { Session } from './session.js';

const refused = (text: string): boolean => text.includes('"UNAUTHENTICATED"');

/**
 * `fetch` for GraphQL that carries the session's token and, when that is refused, renews it and sends the same request once more.
 * Every caller of the API goes through it, whatever library it uses. Bodies must be strings, since they may be sent twice.
 */
export function authorizedFetch(fetch: Fetch, session: Session): Fetch {
  const send = (input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
    const headers = new Headers(init?.headers);
    if (session.authorization !== undefined) headers.set('authorization', session.authorization);
    return fetch(input, { ...init, headers });
  };
  return async (input, init) => {
    const used = session.accessToken;
    const response = await send(input, init);
    const text = await response.text();
    if (refused(text) && (await session.renew(used))) return send(input, init);
    return new Response(text, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}
