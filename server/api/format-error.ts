import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError, errorCodes, type ErrorCode } from '@gjm/core/errors.js';

/** Codes of the libraries below us, in our words. What is not here or in core's list is INTERNAL. */
const libraryCodes: Record<string, ErrorCode> = {
  GRAPHQL_PARSE_FAILED: 'BAD_USER_INPUT',
  GRAPHQL_VALIDATION_FAILED: 'BAD_USER_INPUT',
  OPERATION_RESOLUTION_FAILURE: 'BAD_USER_INPUT',
  PERSISTED_QUERY_NOT_FOUND: 'BAD_USER_INPUT',
  PERSISTED_QUERY_NOT_SUPPORTED: 'BAD_USER_INPUT',
  BAD_REQUEST: 'BAD_USER_INPUT',
  INTROSPECTION_DISABLED: 'UNAUTHENTICATED',
  MAX_RECURSIVE_SELECTIONS_EXCEEDED: 'BUDGET_EXCEEDED',
};

/** What may be told about an error. `isBug`: nothing may; the cause is for the log. */
export interface ErrorFacts {
  code: ErrorCode;
  message: string;
  isBug: boolean;
  cause: unknown;
}

/** The one place that decides which errors are shown. Only an `AppError`, or an error of GraphQL itself, keeps its message. */
export function describeError(error: unknown): ErrorFacts {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  if (cause instanceof AppError) return { code: cause.code, message: cause.message, isBug: false, cause };
  if (isDatabaseAway(cause))
    return {
      code: 'UNAVAILABLE',
      message: 'The database does not answer. Try again in a moment.',
      isBug: false,
      cause,
    };
  const code = cause instanceof GraphQLError ? codeOf(cause) : 'INTERNAL';
  if (code === 'INTERNAL')
    return { code, message: 'Something went wrong here. It was noted.', isBug: true, cause };
  return { code, message: (cause as GraphQLError).message, isBug: false, cause };
}

function codeOf(error: GraphQLError): ErrorCode {
  const given = error.extensions['code'];
  const code = typeof given === 'string' ? given : '';
  const known = errorCodes.find((name) => name === code) ?? libraryCodes[code];
  if (/^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(error.message))
    return 'BUDGET_EXCEEDED';
  if (known) return known;
  // Errors that graphql-js makes itself (syntax, validation, coercion) have no code and no cause; they speak of the request only.
  return code === '' && !error.originalError && error.path === undefined ? 'BAD_USER_INPUT' : 'INTERNAL';
}

/** An error as it leaves the server, on HTTP and on WebSocket. */
export function formatError(error: GraphQLError, requestId: string): GraphQLFormattedError {
  const { code, message } = describeError(error);
  return {
    message,
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
    extensions: { code, requestId },
  };
}

/** Postgres or the way to it is away: SQLSTATE classes 08 and 57P, socket errors, and the pool's own time-outs. */
function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (
    typeof code === 'string' &&
    /^(08\w{3}|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/.test(code)
  )
    return true;
  return /^(Connection terminated|timeout exceeded when trying to connect|timeout expired)/.test(
    error.message,
  );
}
