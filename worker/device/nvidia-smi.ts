import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { signalGroup } from '../child/process-group.js';
import { defer, within } from '../wait.js';

/** What is longer is no line of this program, in characters. */
const longestLine = 65_536;
/** More lines than any machine's answer has. */
const mostLines = 10_000;
/** A killed process is gone within this time, in ms, or hangs in its driver, where no signal reaches it. */
const killMs = 500;

/** What the program said. */
export interface SmiAnswer {
  /** Lines of both its outputs, without line ends. */
  lines: string[];
  /** Why it is no whole answer, as the end of a sentence; null when the program ended with 0. */
  problem: string | null;
  /** There is no such program on this machine. */
  isAbsent: boolean;
}

/** An answer that is none. */
export const noAnswer = (problem: string): SmiAnswer => ({ lines: [], problem, isAbsent: false });

/**
 * Runs `nvidia-smi`, one at a time. After a fault of the driver it may hang for ever, even where no signal reaches it: then every further
 * question is answered at once, with that, until the old one is gone.
 */
export class NvidiaSmi {
  readonly #path: string;
  readonly #env: Record<string, string>;
  #turn: Promise<unknown> = Promise.resolve();
  #stuck: Promise<void> | null = null;
  #current: SmiRun | null = null;
  #isClosed = false;

  /** `env` is all that the program inherits. */
  constructor(path: string, env: Record<string, string>) {
    this.#path = path;
    // Numbers and words as its manual has them, whatever the language of this machine.
    this.#env = { ...env, LC_ALL: 'C' };
  }

  /** Starts the program beside the questions; `onLine` hears each line at once. */
  run(args: readonly string[], onLine: (line: string) => void): SmiRun {
    return runSmi(this.#path, args, this.#env, onLine);
  }

  /** Never rejects. Takes at most `limitMs`, and what those take that asked before. */
  ask(args: readonly string[], limitMs: number): Promise<SmiAnswer> {
    const answer = this.#turn.then(() => this.#askNow(args, limitMs));
    this.#turn = answer;
    return answer;
  }

  /** Ends the question under way; what is asked later has no answer. */
  close(): void {
    this.#isClosed = true;
    this.#current?.kill();
  }

  async #askNow(args: readonly string[], limitMs: number): Promise<SmiAnswer> {
    if (this.#isClosed) return noAnswer('the worker stops');
    if (this.#stuck) return noAnswer('an earlier nvidia-smi hangs and can not be ended');
    const lines: string[] = [];
    const run = runSmi(this.#path, args, this.#env, (line) => {
      if (lines.push(line) > mostLines) run.kill();
    });
    this.#current = run;
    const end = await within(run.ended, limitMs, null);
    if (end) return { lines, ...end };
    run.kill();
    if (!(await within(run.ended, killMs, null)))
      this.#stuck = run.ended.then(() => {
        this.#stuck = null;
      });
    return noAnswer(`nvidia-smi did not answer within ${limitMs / 1_000} s`);
  }
}

/** A process of the program, and how it ends. */
export interface SmiRun {
  /** Settles when it is gone and all that it wrote was heard: null when it ended with 0, else why that is no whole answer. */
  ended: Promise<{ problem: string | null; isAbsent: boolean }>;
  /** Ends it and what it may have started. */
  kill(): void;
}

function runSmi(
  path: string,
  args: readonly string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): SmiRun {
  const ended = defer<{ problem: string | null; isAbsent: boolean }>();
  let firstLine = '';
  const hear = (line: string) => {
    firstLine ||= line.trim().slice(0, 200);
    onLine(line);
  };
  // A group of its own: on some machines it is a script that starts the real one.
  const child = spawn(path, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void (child.pid && signalGroup(child.pid, 'SIGKILL'));
  for (const pipe of [child.stdout, child.stderr]) readLines(pipe, hear, kill);
  child.on('error', (error: NodeJS.ErrnoException) => {
    const isAbsent = error.code === 'ENOENT' || error.code === 'EACCES';
    ended.resolve({ problem: `nvidia-smi can not be started: ${error.message}`, isAbsent });
  });
  child.on('close', (code, signal) => {
    const how = signal === null ? `ended with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
    const problem = code === 0 ? null : `nvidia-smi ${how}${firstLine ? `: ${firstLine}` : ''}`;
    ended.resolve({ problem, isAbsent: false });
  });
  return { ended: ended.promise, kill };
}

function readLines(pipe: Readable, hear: (line: string) => void, kill: () => void): void {
  let rest = '';
  pipe.setEncoding('utf8');
  pipe.on('error', () => undefined);
  pipe.on('data', (text: string) => {
    const parts = (rest + text).split(/\r?\n/);
    rest = parts.pop() ?? '';
    if (rest.length > longestLine) kill();
    for (const line of parts) hear(line);
  });
  pipe.on('end', () => {
    if (rest !== '') hear(rest);
  });
}
