import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FromRunner, fromRunnerSchema, type ToRunner } from '@gjm/core/wire/ipc.js';

type MessageOf<T extends FromRunner['type']> = Extract<FromRunner, { type: T }>;
interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const limitMs = 20_000;
const builtRunner = fileURLToPath(new URL('../dist/child/runner.js', import.meta.url));

/** A real runner process, started as the supervisor does it, with everything it says kept. For tests only. */
export class RunnerUnderTest {
  readonly messages: FromRunner[] = [];
  stdout = '';
  stderr = '';
  readonly #end: Promise<Exit>;
  #returned = 0;
  #wake: () => void = () => undefined;

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    child.on('message', (raw) => {
      this.messages.push(fromRunnerSchema.parse(raw));
      this.#wake();
    });
    this.#end = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        resolve({ code, signal });
        this.#wake();
      });
    });
  }

  send(message: ToRunner): void {
    this.child.send(message);
  }

  /** Sends what no supervisor would send. */
  sendRaw(message: Serializable): void {
    this.child.send(message);
  }

  /** The first message of these types that no earlier call has returned. @throws Error after 20 s, or when the process ends first */
  next<T extends FromRunner['type']>(...types: T[]): Promise<MessageOf<T>> {
    const found = new Promise<MessageOf<T>>((resolve, reject) => {
      this.#wake = () => {
        const message = this.#take(types);
        if (message) resolve(message);
        else if (this.#isOver())
          reject(new Error(`The runner ended before ${types.join(' or ')}:\n${this.stderr}`));
      };
      this.#wake();
    });
    return within(`a message ${types.join(' or ')}`, found);
  }

  /** How the process ended, after its pipes were read to their end. @throws Error after 20 s */
  exited(): Promise<Exit> {
    return within('the end of the process', this.#end);
  }

  /** Ends the process if it is still there. */
  async close(): Promise<void> {
    if (!this.#isOver()) this.child.kill('SIGKILL');
    await this.#end;
  }

  #isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  #take<T extends FromRunner['type']>(types: T[]): MessageOf<T> | undefined {
    const isWanted = (message: FromRunner): message is MessageOf<T> =>
      types.some((type) => type === message.type);
    const rest = this.messages.slice(this.#returned);
    const message = rest.find(isWanted);
    if (message) this.#returned += rest.indexOf(message) + 1;
    return message;
  }
}

/**
 * @param main the runner's main module; by default the real one
 * @throws Error when the worker has not been built
 */
export function startRunner(env: Record<string, string> = {}, main = builtRunner): RunnerUnderTest {
  if (!existsSync(main)) throw new Error('The runner is started from worker/dist: build the worker first.');
  return new RunnerUnderTest(
    fork(main, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      env: {
        GJM_RUNNER_ENGINES: 'wasm,cpu',
        GJM_RUNNER_DEVICE_UID: 'cpu:0',
        GJM_RUNNER_DEVICE_KIND: 'CPU',
        ...env,
      },
    }),
  );
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
