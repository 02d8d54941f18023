import { authorizedFetch } from './authorized-fetch.js';
import type { TypedDocumentString } from './generated/graphql.js';
import { postOperation, type Fetch } from './http.js';
import { anySignal } from './pause.js';
import { retrying } from './retry.js';
import type { Session } from './session.js';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** How often in all it may be sent when the server can not be reached; 1 for what must not be repeated. */
  tries?: number | undefined;
}

/** Sends one typed operation and resolves to its data. */
export type Request = <Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  options?: RequestOptions,
) => Promise<Result>;

/** A query is repeated a few times over a second or two; a person waits for it. */
const queryTries = 3;

/** The session's way to send operations: with its token, renewed when refused, repeated where that is safe. */
export function makeRequest(fetch: Fetch, url: string, session: Session, closed: AbortSignal): Request {
  const authorized = authorizedFetch(fetch, session);
  return (document, variables, options = {}) => {
    const signal = anySignal(closed, options.signal);
    const isQuery = document.trimStart().startsWith('query');
    const run = async () => (await postOperation(authorized, url, document, variables, signal)).data;
    return retrying(run, options.tries ?? (isQuery ? queryTries : 1), signal);
  };
}
