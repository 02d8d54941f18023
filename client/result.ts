import { ProblemError, type FieldProblem } from './errors.js';

/** What every member of a result union has; only members that end in `Success` carry what was asked for. */
interface Member {
  __typename: string;
}

/** The success member of a mutation's result union. */
export type SuccessOf<T extends Member> = Extract<T, { __typename: `${string}Success` }>;

export const isSuccess = <T extends Member>(result: T): result is SuccessOf<T> =>
  result.__typename.endsWith('Success');

/** Returns the success member or throws {@link ProblemError}; also for refusals a newer server may add to the union. */
export function unwrap<T extends Member>(result: T): SuccessOf<T> {
  if (isSuccess(result)) return result;
  const problem: Member & {
    code?: string;
    message?: string;
    fields?: FieldProblem[];
    retryAfterMs?: number;
  } = result;
  throw new ProblemError(
    problem.__typename,
    problem.code ?? 'UNKNOWN',
    problem.message ?? `The server refused with ${problem.__typename}.`,
    problem.fields ?? [],
    problem.retryAfterMs ?? null,
  );
}
