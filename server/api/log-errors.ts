import type { GraphQLError } from 'graphql';
import type { Logger } from '../application/ports.js';
import { describeError } from './format-error.js';

/** Notes what went wrong in an operation: bugs whole, a database that is away as a warning, refusals only at debug level. */
export function logErrors(
  logger: Logger,
  errors: readonly GraphQLError[],
  from: { requestId: string; traceId: string; address: string },
  operation: string | null,
): void {
  for (const error of errors) {
    const { code, isBug, cause } = describeError(error);
    const fields = { ...from, operation, path: error.path, code };
    if (isBug) logger.error({ ...fields, err: cause }, 'an operation failed');
    else if (code === 'UNAVAILABLE') logger.warn({ ...fields, err: cause }, 'an operation could not be done');
    else logger.debug({ ...fields, reason: error.message }, 'an operation was refused');
  }
}
