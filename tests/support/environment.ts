/** How tests find the stack that one run shares; set by the global set-up, read by test files in other processes. */
export interface SharedStack {
  url: string;
  databaseUrl: string;
  redisUrl: string;
  dataDir: string;
}

const name = 'GJM_TEST_STACK';

/** The tests count on machines that have a CPU alone, on whatever machine they run: stacks of this run and of its files use no GPU. */
export function leaveGpusAlone(): void {
  process.env['GJM_NVIDIA_SMI'] = 'none';
}

export function shareStack(stack: SharedStack): void {
  process.env[name] = JSON.stringify(stack);
}

/** Throws when the run has no stack: tests of this tier never skip. */
export function sharedStack(): SharedStack {
  const text = process.env[name];
  if (!text) throw new Error('This test needs the stack of the global set-up: run it through npm test.');
  return JSON.parse(text) as SharedStack;
}
