import { expect, test } from '@jest/globals';
import {
  ApiError,
  ProblemError,
  SequenceGapError,
  TransferError,
  UnreachableError,
} from '@gjm/client/index.js';
import { endingOf, exitCodes, notFoundError, usageError, WaitOver } from './exit.js';
import { Interrupted } from './interrupt.js';
import { exitOfJob } from './job/status-look.js';

test.each<[unknown, number]>([
  [usageError('x'), 2],
  [notFoundError('job', 'x'), 4],
  [new WaitOver('x'), 8],
  [new Interrupted(), 130],
  [new UnreachableError('x'), 3],
  [new ApiError('UNAUTHENTICATED', 'x'), 7],
  [new ApiError('FORBIDDEN', 'x'), 5],
  [new ApiError('NOT_FOUND', 'x'), 4],
  [new ApiError('BAD_USER_INPUT', 'x'), 2],
  [new ApiError('INTERNAL', 'x'), 3],
  [new ApiError('SOMETHING_NEW', 'x'), 3],
  [new ProblemError('ValidationProblem', 'VALIDATION', 'x'), 2],
  [new ProblemError('ConflictProblem', 'JOB_TERMINAL', 'x'), 2],
  [new ProblemError('NotFoundProblem', 'NOT_FOUND', 'x'), 4],
  [new ProblemError('ForbiddenProblem', 'FORBIDDEN', 'x'), 5],
  [new ProblemError('UnauthenticatedProblem', 'BAD_CREDENTIALS', 'x'), 7],
  [new TransferError('x', 404), 4],
  [new TransferError('x'), 3],
  [new SequenceGapError('x', 1, 3), 3],
  [Object.assign(new Error('x'), { code: 'EACCES', syscall: 'open' }), 2],
  [new TypeError('x'), 70],
  ['thrown text', 70],
])('%s ends with %d', (error, exit) => {
  expect(endingOf(error).exit).toBe(exit);
});

test('a watch ends by what became of the job', () => {
  expect(exitOfJob({ status: 'SUCCEEDED' })).toBe(exitCodes.ok);
  expect(exitOfJob({ status: 'FAILED' })).toBe(exitCodes.jobFailed);
  expect(exitOfJob({ status: 'CANCELLED' })).toBe(exitCodes.jobFailed);
  expect(exitOfJob({ status: 'RUNNING' })).toBe(exitCodes.stillRunning);
});
