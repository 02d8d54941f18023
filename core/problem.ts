/** Codes of expected refusals: members of result unions, never thrown. */
export const problemCodes = [
  'VALIDATION',
  'NOT_FOUND',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'EMAIL_TAKEN',
  'BAD_CREDENTIALS',
  'UNKNOWN_KIND',
  'JOB_TERMINAL',
  'JOB_NOT_TERMINAL',
  'REQUEST_ID_REUSED',
  'JOB_HAS_DEPENDANTS',
  'UPLOAD_INCOMPLETE',
  'LAST_ADMIN',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** One bad field of an input: its path from the input's root, and a sentence. */
export interface FieldProblem {
  path: string[];
  message: string;
}

/** A refusal the caller can act on. `type` picks the member of the GraphQL result union. */
export type Problem =
  | {
      type: 'ValidationProblem';
      code: 'VALIDATION' | 'UNKNOWN_KIND';
      message: string;
      fields: FieldProblem[];
    }
  | { type: 'NotFoundProblem'; code: 'NOT_FOUND'; message: string }
  | {
      type: 'ConflictProblem';
      code:
        | 'EMAIL_TAKEN'
        | 'REQUEST_ID_REUSED'
        | 'JOB_TERMINAL'
        | 'JOB_NOT_TERMINAL'
        | 'JOB_HAS_DEPENDANTS'
        | 'UPLOAD_INCOMPLETE'
        | 'LAST_ADMIN';
      message: string;
    }
  | { type: 'QuotaProblem'; code: 'QUOTA_EXCEEDED'; message: string }
  | { type: 'UnauthenticatedProblem'; code: 'UNAUTHENTICATED' | 'BAD_CREDENTIALS'; message: string }
  | { type: 'ForbiddenProblem'; code: 'FORBIDDEN'; message: string }
  | { type: 'RateLimitedProblem'; code: 'RATE_LIMITED'; message: string; retryAfterMs: number };

/** Either what was asked for, or one refusal. */
export type Result<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export const success = <T>(value: T): Result<T> => ({ ok: true, value });
export const refusal = <T = never>(problem: Problem): Result<T> => ({ ok: false, problem });

/** A ValidationProblem whose message is its first field's, so that a client that shows only `message` still helps. */
export function invalid<T = never>(
  fields: FieldProblem[],
  code: 'VALIDATION' | 'UNKNOWN_KIND' = 'VALIDATION',
): Result<T> {
  const message = fields[0] ? `${fields[0].path.join('.')}: ${fields[0].message}` : 'The input is not valid.';
  return refusal({ type: 'ValidationProblem', code, message, fields });
}

export const notFoundProblem = <T = never>(what = 'job'): Result<T> =>
  refusal({ type: 'NotFoundProblem', code: 'NOT_FOUND', message: `There is no ${what} with this id.` });
