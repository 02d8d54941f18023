import { spawnSync } from 'node:child_process';
import { SetupProblem } from './problem.js';

/** Lines of a failed program that are shown: compilers and npm say the cause near the end. */
const shownLines = 15;

interface Run {
  /** What is done, in the words of a sentence: "The compiler failed". */
  failure: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  limitMs: number;
}

/**
 * Runs a program to its end and gives what it wrote to standard output.
 * @throws SetupProblem with `failure`, and the last lines that it wrote
 */
export function runProgram(program: string, args: readonly string[], run: Run): string {
  const { error, status, signal, stdout, stderr } = spawnSync(program, args, {
    cwd: run.cwd,
    env: run.env,
    encoding: 'utf8',
    timeout: run.limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (!error && status === 0) return stdout;
  const isAbsent = error && 'code' in error && error.code === 'ENOENT';
  const how = isAbsent ? `${program} is not installed` : (signal ?? `exit code ${status}`);
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-shownLines).join('\n');
  throw new SetupProblem(`${run.failure}: ${how}.${said && `\n${said}`}`, { cause: error });
}
