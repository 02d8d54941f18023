/**
 * Why a call to the server did not give an answer.
 * `unreachable`: network, time-out, 5xx, 408, 425, 429: worth repeating, for ever.
 * `forbidden`: 401, 403, 409, 426: the server does not want this worker; repeating is useless and the worker stops.
 * `gone`: 404, 410: what was asked about is not there (any more).
 * `rejected`: any other 4xx, or an answer that is not what the contract says.
 */
export type LinkFault = 'unreachable' | 'forbidden' | 'gone' | 'rejected';

/** A failed call. `status` is null when no answer came. The message is a sentence that may be logged. */
export class LinkError extends Error {
  constructor(
    readonly fault: LinkFault,
    readonly status: number | null,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'LinkError';
  }
}

/** What an HTTP status means to a worker; null for success. */
export function faultOfStatus(status: number): LinkFault | null {
  if (status >= 200 && status < 300) return null;
  // 507: the server's disk is full. Sending the same bytes again will not help.
  if (status === 507) return 'rejected';
  if (status >= 500 || [408, 425, 429].includes(status)) return 'unreachable';
  if ([401, 403, 409, 426].includes(status)) return 'forbidden';
  return status === 404 || status === 410 ? 'gone' : 'rejected';
}

export const isFault = (error: unknown, fault: LinkFault): error is LinkError =>
  error instanceof LinkError && error.fault === fault;
