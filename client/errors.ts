import type { FieldProblem } from '@gjm/core/problem.js';

export type { FieldProblem };

/**
 * The server could not be reached, or what answered was not it: nothing is known about what became of the request.
 * `transient` is false when trying again can not help (another program answers at that address).
 */
export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError';
  readonly transient: boolean;

  constructor(message: string, options: { cause?: unknown; transient?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.transient = options.transient ?? true;
  }
}

/** `extensions.code` of the contract, open at the end because codes may be added. */
export type ApiErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'RATE_LIMITED'
  | 'BUDGET_EXCEEDED'
  | 'UNAVAILABLE'
  | 'INTERNAL'
  | (string & {});

/** The server was reached and said no. `requestId` finds the request in the server's log. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/** A refusal the caller can act on, thrown by {@link unwrap}; `type` is the member of the result union, such as ConflictProblem. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';

  constructor(
    readonly type: string,
    readonly code: string,
    message: string,
    readonly fields: FieldProblem[] = [],
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** Bytes did not arrive as promised: refused by the server (`status`), or whole but with another size or digest. */
export class TransferError extends Error {
  override readonly name: string = 'TransferError';

  constructor(
    message: string,
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** A number of a living job's event sequence is missing even after reading it again: the record is broken, not the link. */
export class SequenceGapError extends Error {
  override readonly name: string = 'SequenceGapError';

  constructor(
    readonly jobId: string,
    readonly expected: number,
    readonly received: number,
  ) {
    super(`Event ${expected} of ${jobId} is missing: the server went on with ${received}.`);
  }
}

/** The client was closed while something still waited on it. */
export class ClosedError extends Error {
  override readonly name: string = 'ClosedError';

  constructor() {
    super('The client was closed.');
  }
}
