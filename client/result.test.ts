import { expect, test } from '@jest/globals';
import { ProblemError } from './errors.js';
import { isSuccess, unwrap } from './result.js';

type Answer =
  | { __typename: 'SubmitJobSuccess'; job: { id: string } }
  | {
      __typename: 'ValidationProblem';
      code: string;
      message: string;
      fields: { path: string[]; message: string }[];
    };

const answer = (value: Answer): Answer => value;

test('a success is returned as it is', () => {
  const result = answer({ __typename: 'SubmitJobSuccess', job: { id: 'job_1' } });
  expect(isSuccess(result)).toBe(true);
  expect(unwrap(result).job.id).toBe('job_1');
});

test('a refusal is thrown with its code, its sentence and the paths of the bad fields', () => {
  const fields = [{ path: ['params', 'scale'], message: 'must be 2, 3, 4 or 8' }];
  const result = answer({ __typename: 'ValidationProblem', code: 'VALIDATION', message: 'No.', fields });
  expect(() => unwrap(result)).toThrow(ProblemError);
  try {
    unwrap(result);
  } catch (error) {
    expect(error).toMatchObject({ type: 'ValidationProblem', code: 'VALIDATION', message: 'No.', fields });
  }
});

test('a refusal of a newer server, without fields that this client knows, still throws', () => {
  const result = { __typename: 'TeapotProblem' } as unknown as Answer;
  expect(() => unwrap(result)).toThrow('TeapotProblem');
});
