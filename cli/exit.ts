import {
  ApiError,
  ProblemError,
  SequenceGapError,
  TransferError,
  UnreachableError,
  type FieldProblem,
} from '@gjm/client/index.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { cutTo } from './text/width.js';

/** How `gjm` ends; docs/cli.md tells them to people. */
export const exitCodes = {
  ok: 0,
  /** The job that was waited for ended FAILED or CANCELLED. */
  jobFailed: 1,
  /** The command or its input is wrong, or the state of things does not allow it. */
  usage: 2,
  /** The server could not be reached, or failed. */
  unreachable: 3,
  notFound: 4,
  forbidden: 5,
  signIn: 7,
  /** Still running when the time given to wait was over. */
  stillRunning: 8,
  /** A fault of this program. */
  bug: 70,
  interrupted: 130,
  readerGone: 141,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Why a command ends without success, ready to be told. */
export interface Ending {
  exit: ExitCode;
  code: string;
  message: string;
  fields: FieldProblem[];
  /** Finds the request in the server's log. */
  requestId: string | null;
}

/** A command's own refusal, such as a bad option. */
export class CommandError extends Error {
  constructor(
    readonly exit: ExitCode,
    readonly code: string,
    message: string,
    readonly fields: FieldProblem[] = [],
  ) {
    super(message);
  }
}

/** An option or argument that can not be used. */
export const usageError = (message: string, fields: FieldProblem[] = []): CommandError =>
  new CommandError(exitCodes.usage, 'USAGE', message, fields);

/** The same answer for a job that is unknown, malformed, or somebody else's. */
export const notFoundError = (what: string, id: string): CommandError =>
  new CommandError(exitCodes.notFound, 'NOT_FOUND', `There is no ${what} "${cutTo(visibleLine(id), 80)}".`);

/** The reason of the signal that ends a wait at its time limit. */
export class WaitOver extends CommandError {
  constructor(jobId: string) {
    super(exitCodes.stillRunning, 'STILL_RUNNING', `${jobId} is still running.`);
  }
}

const exitOfApiCode: Record<string, ExitCode> = {
  UNAUTHENTICATED: exitCodes.signIn,
  FORBIDDEN: exitCodes.forbidden,
  NOT_FOUND: exitCodes.notFound,
  BAD_USER_INPUT: exitCodes.usage,
};

const exitOfProblem: Record<string, ExitCode> = {
  NotFoundProblem: exitCodes.notFound,
  ForbiddenProblem: exitCodes.forbidden,
  QuotaProblem: exitCodes.forbidden,
  UnauthenticatedProblem: exitCodes.signIn,
  RateLimitedProblem: exitCodes.unreachable,
};

const systemCodeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' && 'syscall' in error ? error.code : undefined;

/** Any fault as an exit code and a sentence. */
export function endingOf(error: unknown): Ending {
  const ending = (exit: ExitCode, code: string, rest: Partial<Ending> = {}): Ending => {
    const message = error instanceof Error ? error.message : String(error);
    return { exit, code, message, fields: [], requestId: null, ...rest };
  };
  if (error instanceof CommandError) return ending(error.exit, error.code, { fields: error.fields });
  if (error instanceof UnreachableError) return ending(exitCodes.unreachable, 'UNREACHABLE');
  if (error instanceof ProblemError)
    return ending(exitOfProblem[error.type] ?? exitCodes.usage, error.code, { fields: error.fields });
  if (error instanceof ApiError) {
    const message = error.code === 'UNAUTHENTICATED' ? 'Sign in first: gjm login' : error.message;
    const { requestId } = error;
    return ending(exitOfApiCode[error.code] ?? exitCodes.unreachable, error.code, { message, requestId });
  }
  if (error instanceof TransferError)
    return ending(error.status === 404 ? exitCodes.notFound : exitCodes.unreachable, 'TRANSFER');
  if (error instanceof SequenceGapError) return ending(exitCodes.unreachable, 'SEQUENCE_GAP');
  const systemCode = error instanceof Error ? systemCodeOf(error) : undefined;
  if (systemCode) return ending(exitCodes.usage, systemCode);
  return ending(exitCodes.bug, 'BUG', { message: error instanceof Error ? (error.stack ?? '') : '' });
}
