/**
 * A refusal meant for the person at the terminal: its message is one plain sentence that says what is wrong
 * and what to do. Commands print it alone, without a stack trace, and exit 1.
 */
export class StackProblem extends Error {
  override readonly name = 'StackProblem';
}

/** The words to print for anything thrown: the sentence of a {@link StackProblem}, else the whole stack. */
export function describeProblem(error: unknown): string {
  if (error instanceof StackProblem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The `code` of a Node system error (`ENOENT`, `EADDRINUSE`, …), undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
