import { Client, fetchExchange, type TypedDocumentNode } from '@urql/core';
import type { Client as ApiClient } from '@gjm/client/index.js';
import type { TypedDocumentString } from '@gjm/client/generated/graphql.js';

/**
 * urql for what components ask. Requests go through the session's `fetch`, which holds the tokens. Always by POST: the server refuses
 * queries by GET. There is no cache: lists and jobs are kept by their pages, merged with what comes live.
 */
export const makeUrql = (client: ApiClient): Client =>
  new Client({
    url: `${client.url}/graphql`,
    exchanges: [fetchExchange],
    fetch: client.fetch,
    preferGetMethod: false,
    requestPolicy: 'network-only',
  });

/** A generated document as urql's types want it; what travels is the same text. */
export const documentOf = <Result, Variables>(document: TypedDocumentString<Result, Variables>) =>
  document.toString() as unknown as TypedDocumentNode<Result, Variables & Record<string, unknown>>;
