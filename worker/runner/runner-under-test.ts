import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FromRunner, fromRunnerSchema, type ToRunner } from '@gjm/core/wire/ipc.js';

type MessageOf<T extends FromRunner['type']> = Extract<FromRunner, { type: T }>;

/** A real runner process, started as the supervisor does it, with everything it says kept. For tests only. */
export interface RunnerUnderTest {
  readonly child: ChildProcess;
  readonly messages: FromRunner[];
  stdout(): string;
  stderr(): string;
  send(message: ToRunner): void;
  /** Sends what no supervisor would send. */
  sendRaw(message: Serializable): void;
  /** The first message of these types that no earlier call has returned. @throws Error after 20 s, or when the process ends first */
  next<T extends FromRunner['type']>(...types: T[]): Promise<MessageOf<T>>;
  /** How the process ended, after its pipes were read to their end. @throws Error after 20 s */
  exited(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ends the process if it is still there. */
  close(): Promise<void>;
}

const limitMs = 20_000;

/** @throws Error when the worker has not been built */
export function startRunner(env: Record<string, string> = {}): RunnerUnderTest {
  const main = fileURLToPath(new URL('../dist/child/runner.js', import.meta.url));
  if (!existsSync(main)) throw new Error('The runner is started from worker/dist: build the worker first.');
  const child = fork(main, [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    env: {
      GJM_RUNNER_ENGINES: 'wasm,cpu',
      GJM_RUNNER_DEVICE_UID: 'cpu:0',
      GJM_RUNNER_DEVICE_KIND: 'CPU',
      ...env,
    },
  });
  const messages: FromRunner[] = [];
  const output = { stdout: '', stderr: '' };
  let returned = 0;
  let wake = () => undefined as void;
  const end = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal });
      wake();
    });
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  child.on('message', (raw) => {
    messages.push(fromRunnerSchema.parse(raw));
    wake();
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const take = <T extends FromRunner['type']>(types: T[]): MessageOf<T> | undefined => {
    const index = messages.findIndex(
      (message, i) => i >= returned && types.some((type) => type === message.type),
    );
    if (index < 0) return undefined;
    returned = index + 1;
    return messages[index] as MessageOf<T>;
  };
  const next = <T extends FromRunner['type']>(...types: T[]) =>
    within(
      `a message ${types.join(' or ')}`,
      new Promise<MessageOf<T>>((resolve, reject) => {
        wake = () => {
          const found = take(types);
          if (found) resolve(found);
          else if (isOver())
            reject(new Error(`The runner ended before ${types.join(' or ')}:\n${output.stderr}`));
        };
        wake();
      }),
    );
  return {
    child,
    messages,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    send: (message) => void child.send(message),
    sendRaw: (message) => void child.send(message),
    next,
    exited: () => within('the end of the process', end),
    async close() {
      if (!isOver()) child.kill('SIGKILL');
      await end;
    },
  };
}

/** Fails loudly instead of waiting for ever. */
export async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} did not come within ${limitMs} ms`));
    }, limitMs);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
