import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { password } from '../support/sign-in.js';
import { until } from '../support/until.js';

const program = join(cloneRoot, 'cli', 'bin', 'gjm.mjs');
/** How long one command may take, in ms; whoever takes longer is killed and fails the test. */
const limitMs = 5_000;

export interface Ended {
  /** null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

/** A command that runs. */
export interface Running {
  stdout(): string;
  stderr(): string;
  /** Types on its terminal, or writes to its stdin. */
  type(text: string): void;
  /** No more will be typed. */
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

function follow(child: ChildProcess, what: string): Running {
  const startedAt = performance.now();
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin?.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${what} took too long.\n${stdout}\n${stderr}`));
    }, limitMs * 2);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, ms: performance.now() - startedAt });
    });
  });
  // A test that failed before it looks at the end has said enough.
  ended.catch(() => undefined);
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    type: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** A person at a shell: a home folder of their own, and the real program as a process of its own. */
export class Shell {
  /** Nothing of the test's own environment reaches a command. */
  readonly env: Record<string, string>;

  readonly #children: ChildProcess[] = [];

  private constructor(
    readonly home: string,
    url: string,
  ) {
    this.env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, GJM_URL: url, TERM: 'xterm' };
  }

  static async open(url: string): Promise<Shell> {
    return new Shell(await mkdtemp(join(tmpdir(), 'gjm-shell-')), url);
  }

  get credentials(): string {
    return join(this.home, '.config', 'gjm', 'credentials.json');
  }

  start(args: string[], env: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.home,
      env: { ...this.env, ...env },
    });
    return this.#follow(child, `gjm ${args.join(' ')}`);
  }

  run(args: string[], { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}) {
    const running = this.start(args, env);
    running.type(input);
    running.endInput();
    return running.ended;
  }

  /** A command that must succeed with one JSON document. */
  async json<T>(args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`gjm ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** On a terminal of its own; stdout and stderr come as one text. */
  onTerminal(args: string[], env: Record<string, string> = {}): Running {
    const line = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
    const command = [
      '--quiet',
      '--return',
      '--flush',
      '--command',
      `stty cols 100 rows 30; exec ${line}`,
      '/dev/null',
    ];
    const child = spawn('script', command, {
      cwd: this.home,
      env: { ...this.env, SHELL: '/bin/sh', ...env },
    });
    return this.#follow(child, `gjm ${args.join(' ')} on a terminal`);
  }

  /** A shell pipeline in which `gjm` is the program. */
  pipe(script: string): Promise<Ended> {
    const child = spawn('bash', ['-c', `gjm() { '${process.execPath}' '${program}' "$@"; }; ${script}`], {
      cwd: this.home,
      env: this.env,
    });
    return this.#follow(child, script).ended;
  }

  #follow(child: ChildProcess, what: string): Running {
    this.#children.push(child);
    return follow(child, what);
  }

  /** Ends what a failed test left running. */
  close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    return rm(this.home, { recursive: true, force: true });
  }
}

/** Somebody new with an account, a shell that is signed in, and a client for what the shell is compared with. */
export interface Person {
  email: string;
  shell: Shell;
  client: NodeClient;
  close(): Promise<void>;
}

export async function newPerson(url: string): Promise<Person> {
  const client = createClient({ url });
  const email = `shell-${randomBytes(6).toString('hex')}@example.com`;
  unwrap(await client.register({ email, password, name: 'Shell User' }));
  const shell = await Shell.open(url);
  const { code, stderr } = await shell.run(['login', '--email', email, '--password-stdin'], {
    input: `${password}\n`,
  });
  if (code !== 0) throw new Error(`The sign-in ended with ${code}: ${stderr}`);
  return {
    email,
    shell,
    client,
    close: async () => {
      client.close();
      await shell.close();
    },
  };
}

/** Waits until a running command has written this. */
export const written = (running: Running, text: string | RegExp): Promise<boolean> =>
  until(`${String(text)} is written`, () => {
    const all = running.stdout() + running.stderr();
    return typeof text === 'string' ? all.includes(text) : text.test(all);
  });

// eslint-disable-next-line no-control-regex -- what no text of other people may bring
export const rawControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
