import { BoundedQueue } from './bounded-queue.js';
import { ApiError, UnreachableError } from './errors.js';
import type { TypedDocumentString } from './generated/graphql.js';
import { apiErrorOf } from './http.js';
import type { LiveLink } from './live-link.js';

/** Close codes that say "you do not speak my language": the same words again would be refused again. */
const fatalCodes = new Set([4004, 4005, 4400, 4401, 4406, 4409, 4429]);
/** How the server ends a socket whose token has run out or was revoked. */
const forbidden = 4403;
/** More results than this waiting for their reader end the subscription with an OverflowError. */
export const queueLimit = 1_000;

interface CloseLike {
  code: number;
  reason: string;
}

const isClose = (error: unknown): error is CloseLike =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'number' &&
  'reason' in error;

/** Turns what ends a graphql-ws subscription (close event, socket error, list of GraphQL errors) into one of our errors. */
export function faultOf(error: unknown): Error {
  if (Array.isArray(error)) return apiErrorOf(error as Parameters<typeof apiErrorOf>[0]);
  if (!isClose(error)) return new UnreachableError('The live connection failed.', { cause: error });
  if (error.code === forbidden)
    return new ApiError('UNAUTHENTICATED', error.reason || 'The session has ended.');
  const message = `The live connection was closed (${error.code}${error.reason ? ` ${error.reason}` : ''}).`;
  return new UnreachableError(message, { cause: error, transient: !fatalCodes.has(error.code) });
}

/** Lets what one subscription sends flow into `queue`, which it also ends. Returns what unsubscribes. */
export function feed<Result, Variables extends Record<string, unknown>, T>(
  link: LiveLink,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  queue: BoundedQueue<T>,
  pick: (result: Result) => T,
): () => void {
  return link.subscribe(
    { query: document.toString(), variables },
    {
      next: ({ data, errors }) => {
        if (errors?.length) queue.end(faultOf(errors));
        else queue.push(pick(data as Result));
      },
      error: (error) => queue.end(faultOf(error)),
      complete: () => queue.end(),
    },
  );
}

/** A queue as a loop: `stop` runs however the loop is left; the signal ends it with its reason. */
export async function* drain<T>(
  queue: BoundedQueue<T>,
  signal: AbortSignal,
  stop: () => void,
): AsyncGenerator<T, void, void> {
  const abort = (): void => queue.end(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await queue.next();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    stop();
  }
}

/**
 * One subscription on one connection. Ends when the server completes it; throws ApiError, UnreachableError, OverflowError or the
 * signal's reason. Leaving the loop unsubscribes.
 */
export function subscribeOnce<Result, Variables extends Record<string, unknown>, T>(
  link: LiveLink,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  pick: (result: Result) => T,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const queue = new BoundedQueue<T>(queueLimit);
  const stop = feed(link, document, variables, queue, pick);
  return drain(queue, signal, stop);
}
