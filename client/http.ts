import { ApiError, UnreachableError } from './errors.js';
import type { TypedDocumentString } from './generated/graphql.js';

export type Fetch = typeof globalThis.fetch;

/** How long an answer may take, in ms, before the server counts as unreachable. */
const answerMs = 30_000;

interface GraphQLBody {
  data?: unknown;
  errors?: { message?: string; extensions?: { code?: string; requestId?: string } }[];
}

/** The first error of an answer or of a subscription's error message, as what callers can switch on. */
export function apiErrorOf(errors: NonNullable<GraphQLBody['errors']>): ApiError {
  const first = errors[0];
  const { code, requestId } = first?.extensions ?? {};
  return new ApiError(
    code ?? 'INTERNAL',
    first?.message ?? 'The server failed without a message.',
    requestId ?? null,
  );
}

function bodyOf(text: string): GraphQLBody | null {
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body !== 'object' || body === null) return null;
    return 'data' in body || 'errors' in body ? (body as GraphQLBody) : null;
  } catch {
    return null;
  }
}

/** Runs `fetch` and translates its own failures; a caller's abort passes through as it is. */
export async function reach(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal });
  } catch (cause) {
    if (signal.aborted && signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError')
      throw new UnreachableError(`The server at ${new URL(url).origin} did not answer in time.`, { cause });
    if (signal.aborted) throw signal.reason;
    if (cause instanceof UnreachableError) throw cause;
    throw new UnreachableError(`Could not reach the server at ${new URL(url).origin}.`, { cause });
  }
}

/**
 * One operation, one POST. Any error in the answer throws, even beside data: a null that stands for a fault must not read as "there is
 * none". Returns the headers too, because a sign-in may come with a cookie.
 */
export async function postOperation<Result, Variables>(
  fetch: Fetch,
  url: string,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<{ data: Result; headers: Headers }> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  };
  const response = await reach(fetch, url, init, within);
  const text = await response.text().catch((cause: unknown) => {
    if (signal.aborted) throw signal.reason;
    throw new UnreachableError('The connection broke off in the middle of an answer.', { cause });
  });
  const body = bodyOf(text);
  if (body?.errors?.length) throw apiErrorOf(body.errors);
  if (body?.data === undefined || body.data === null) {
    const transient = response.status >= 500 || response.status === 408 || response.status === 429;
    throw new UnreachableError(`${url} answered ${response.status} without a GraphQL result.`, { transient });
  }
  return { data: body.data as Result, headers: response.headers };
}
