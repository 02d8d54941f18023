import { execFile } from 'node:child_process';
import type { EnvironmentVariables } from './environment.js';
import { StackProblem } from './problem.js';

/** How to run a short program; `limitMs` is when it is killed. */
export interface ProgramOptions {
  limitMs: number;
  signal?: AbortSignal | undefined;
  env?: EnvironmentVariables;
  cwd?: string;
  uid?: number | undefined;
  gid?: number | undefined;
}

/** Runs a program to its end and returns its standard output. Fails with its last words in one sentence. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  const { limitMs, ...rest } = options;
  const settings = { ...rest, timeout: limitMs, killSignal: 'SIGKILL' as const, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((done, fail) => {
    execFile(command, [...args], settings, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const words =
        lastLines(stderr || stdout) || (error.killed ? `no end within ${limitMs} ms` : error.message);
      fail(new StackProblem(`${command} failed: ${words}`, { cause: error }));
    });
  });
}

/** The last lines of a program's output that hold anything, joined into one. */
export function lastLines(output: string, count = 3): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(-count)
    .join(' / ');
}
