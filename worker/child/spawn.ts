import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fromRunnerSchema, type EngineAudit, type FromRunner, type ToRunner } from '@gjm/core/wire/ipc.js';
import type { ProgramRoom } from '../containment/program-room.js';
import { forgetGroup, noteGroup, ownerVariable } from '../instance/leftovers.js';
import type { Logger } from '../logger.js';
import { defer, within } from '../wait.js';
import { describeExit, type ChildExit } from './classify-exit.js';
import { guardChannel } from './guard-channel.js';
import { groupGone, signalGroup } from './process-group.js';

export type OutputStream = 'stdout' | 'stderr';

/** What a runner child is made from. */
export interface RunnerPlan {
  /** The runner's main module. */
  module: string;
  device: { uid: string; kind: string; pin: Record<string, string> };
  engines: string;
  /** Inherited variables; nothing secret. */
  env: Record<string, string>;
  instanceId: string;
  runFolder: string;
  /** How long a child may take to become ready, in ms. */
  readyLimitMs: number;
  /** Only for a child that runs one program of a user. */
  room?: ProgramRoom;
  log: Logger;
}

/** The first word of a child. `failed`: it ended, was silent too long, or spoke nonsense. */
export type RunnerStart =
  | { type: 'ready'; engine: string; audit: EngineAudit[]; rssBytes: number }
  | { type: 'unusable'; audit: EngineAudit[] }
  | { type: 'failed'; reason: string };

/** Who listens to a child while it works for an attempt. */
export interface RunnerListener {
  message(message: FromRunner): void;
  output(stream: OutputStream, bytes: Buffer): void;
  /** The process is over; its pipes may still hold output. */
  exit(exit: ChildExit): void;
}

/**
 * One runner process in a process group of its own. What it says is parsed; what can not be parsed counts as a broken child, which is
 * killed. Nothing here ever throws into the supervisor because of what a child does.
 */
export class RunnerChild {
  readonly pid: number;
  /** Settles once, within the plan's limit. */
  readonly started: Promise<RunnerStart>;
  readonly exited: Promise<ChildExit>;
  /** Bytes read from the child's pipes since it was started. */
  readonly received: Record<OutputStream, number> = { stdout: 0, stderr: 0 };
  readonly #process: ChildProcess;
  readonly #plan: RunnerPlan;
  readonly #start = defer<RunnerStart>();
  readonly #exit = defer<ChildExit>();
  readonly #pipesClosed = defer<void>();
  #listener: RunnerListener | null = null;
  #onBytes: (() => void) | null = null;
  #isOver = false;
  /** Nothing of it is left, and its number may be somebody else's by now. */
  #isGroupGone = false;

  constructor(plan: RunnerPlan) {
    this.#plan = plan;
    this.started = this.#start.promise;
    this.exited = this.#exit.promise;
    this.#process = launch(plan);
    this.pid = this.#process.pid ?? 0;
    this.#listen();
    if (this.pid > 0) noteGroup(plan.runFolder, this.pid);
    void this.#limitStart();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** From now on this listener hears the child; null sends its output to the worker's log. */
  attach(listener: RunnerListener | null): void {
    this.#listener = listener;
  }

  /** Sends a message. To a child that is gone this does nothing: its exit tells. */
  send(message: ToRunner): void {
    if (this.#isOver || !this.#process.connected) return;
    this.#process.send(message, (error) => {
      if (error) this.#plan.log.debug({ pid: this.pid, err: error }, 'a message did not reach the runner');
    });
  }

  /** Stops or goes on reading the child's pipes: a child that writes to a full pipe waits. */
  setPaused(isPaused: boolean): void {
    for (const pipe of [this.#process.stdout, this.#process.stderr]) {
      if (isPaused) pipe?.pause();
      else pipe?.resume();
    }
  }

  /** Waits until the pipes have delivered what the runner says it has written. False when `limitMs` went by. */
  async hasDelivered(
    written: { stdoutBytes: number; stderrBytes: number },
    limitMs: number,
  ): Promise<boolean> {
    const isComplete = () =>
      this.received.stdout >= written.stdoutBytes && this.received.stderr >= written.stderrBytes;
    if (isComplete()) return true;
    const delivered = defer<boolean>();
    this.#onBytes = () => isComplete() && delivered.resolve(true);
    const answer = await within(delivered.promise, limitMs, false);
    this.#onBytes = null;
    return answer;
  }

  /** Waits until both pipes are read to their end: only after the whole group is gone that is sure to come. */
  async pipesEnded(limitMs: number): Promise<boolean> {
    return within(
      this.#pipesClosed.promise.then(() => true),
      limitMs,
      false,
    );
  }

  /** SIGTERM to the group, SIGKILL after `termMs`; true when the group is gone, which is looked for at most `goneMs` longer. */
  async end(termMs: number, goneMs = 5_000): Promise<boolean> {
    if (this.pid === 0 || this.#isGroupGone) return true;
    if (termMs > 0) signalGroup(this.pid, 'SIGTERM');
    let isGone = termMs > 0 && (await groupGone(this.pid, termMs));
    if (!isGone) {
      signalGroup(this.pid, 'SIGKILL');
      isGone = await groupGone(this.pid, goneMs);
    }
    if (isGone && this.#plan.room) isGone = await this.#plan.room.endProcesses();
    if (isGone) {
      this.#isGroupGone = true;
      forgetGroup(this.#plan.runFolder, this.pid);
      await within(this.exited, goneMs, null);
    }
    return isGone;
  }

  #listen(): void {
    const child = this.#process;
    guardChannel(child, () => this.#breakOff('it sent bytes that are no message'));
    child.on('message', (raw) => this.#hear(raw));
    child.on('error', (error) => {
      this.#plan.log.warn({ pid: this.pid, err: error }, 'runner process error');
      if (this.pid === 0)
        this.#over({ code: null, signal: null }, `it could not be started: ${error.message}`);
    });
    child.on('exit', (code, signal) => {
      const exit = { code, signal };
      this.#over(this.#plan.room?.endOfRunner(exit) ?? exit);
    });
    child.on('close', () => this.#pipesClosed.resolve());
    this.#read('stdout', child.stdout);
    this.#read('stderr', child.stderr);
  }

  #read(stream: OutputStream, pipe: Readable | null): void {
    pipe?.on('error', () => undefined);
    pipe?.on('data', (bytes: Buffer) => {
      this.received[stream] += bytes.length;
      if (this.#listener) this.#listener.output(stream, bytes);
      else
        this.#plan.log.debug(
          { pid: this.pid, stream, text: bytes.toString('utf8', 0, 2_000) },
          'runner output',
        );
      this.#onBytes?.();
    });
  }

  #hear(raw: unknown): void {
    const parsed = fromRunnerSchema.safeParse(raw);
    if (!parsed.success) return this.#breakOff('it sent a message that is not one of ours');
    const message = parsed.data;
    if (message.type === 'ready' || message.type === 'unusable') this.#start.resolve(message);
    else this.#listener?.message(message);
  }

  /** A child that speaks nonsense can not be trusted with anything: it is ended at once, and its exit is heard as any other. */
  #breakOff(why: string): void {
    this.#plan.log.error({ pid: this.pid }, `the runner is ended: ${why}`);
    this.#start.resolve({ type: 'failed', reason: why });
    signalGroup(this.pid, 'SIGKILL');
  }

  #over(exit: ChildExit, reason = describeExit(exit)): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#start.resolve({ type: 'failed', reason });
    this.#exit.resolve(exit);
    this.#listener?.exit(exit);
  }

  async #limitStart(): Promise<void> {
    const { readyLimitMs } = this.#plan;
    if (await within(this.started, readyLimitMs, null)) return;
    this.#breakOff(`it was not ready within ${Math.round(readyLimitMs / 1000)} s`);
  }
}

function launch(plan: RunnerPlan): ChildProcess {
  const env = {
    ...plan.env,
    ...plan.device.pin,
    GJM_RUNNER_ENGINES: plan.engines,
    GJM_RUNNER_DEVICE_UID: plan.device.uid,
    GJM_RUNNER_DEVICE_KIND: plan.device.kind,
    [ownerVariable]: plan.instanceId,
    ...plan.room?.variables,
  };
  // Glob matching of Node 20 tells of itself on the error stream, which is the program's here.
  const quiet = plan.room ? ['--disable-warning=ExperimentalWarning'] : [];
  const runner = [process.execPath, ...quiet, plan.module];
  const node = plan.room?.wrap(runner) ?? runner;
  const [command = '', ...args] = canDieWithParent(plan.env['PATH'])
    ? ['setpriv', '--pdeathsig', 'KILL', ...node]
    : node;
  return spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
}

let dieWithParent: boolean | undefined;

/** Whether the kernel can be told to kill a busy child with its parent; else only a child that still reads its channel notices. */
function canDieWithParent(path: string | undefined): boolean {
  dieWithParent ??=
    spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { env: { PATH: path }, timeout: 5_000 }).status ===
    0;
  return dieWithParent;
}
