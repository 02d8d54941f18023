/** Codes of top-level GraphQL errors; the API contract fixes them. */
export const errorCodes = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'RATE_LIMITED',
  'BUDGET_EXCEEDED',
  'UNAVAILABLE',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** A fault of the caller or of the surroundings, whose message may be shown to the caller as it is. All else is a bug and is masked. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'AppError';
  }
}

export const unauthenticated = (message = 'Sign in first.') => new AppError('UNAUTHENTICATED', message);
export const forbidden = (message = 'You may not do this.') => new AppError('FORBIDDEN', message);
export const notFound = (message = 'There is nothing with this id.') => new AppError('NOT_FOUND', message);
export const badInput = (message: string) => new AppError('BAD_USER_INPUT', message);
export const unavailable = (message: string, cause?: unknown) =>
  new AppError('UNAVAILABLE', message, { cause });
