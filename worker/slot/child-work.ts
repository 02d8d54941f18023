import type { FromRunner, ToRunner } from '@gjm/core/wire/ipc.js';
import type { ChildExit } from '../child/classify-exit.js';
import { Deadline } from '../child/deadline.js';
import type { OutputStream, RunnerChild } from '../child/spawn.js';
import type { Reporter } from '../report/reporter.js';
import type { RunningClock } from '../running-clock.js';
import { defer, within } from '../wait.js';

/** SIGTERM to SIGKILL, in ms. */
const termMs = 1_000;
/** How long what a child has written may take to come through its pipes, in ms. */
const pipesMs = 2_000;

export type StopReason = Extract<ToRunner, { type: 'stop' }>['reason'];

/** The last word about the work: the runner's own, or that it is over without one. */
export type Verdict =
  Extract<FromRunner, { type: 'done' | 'failed' | 'stopped' }> | { type: 'exited'; exit: ChildExit };

export interface WorkEnd {
  verdict: Verdict;
  /** Why it was asked to stop, if it was. */
  stop: StopReason | null;
  /** True when asking was not enough and the process group was ended. */
  isForced: boolean;
  /** False when processes of the child's group still live after all that. */
  isGroupGone: boolean;
}

export interface ChildWorkOptions {
  child: RunnerChild;
  reporter: Reporter;
  clock: RunningClock;
  /** Counted on the clock from the making of this: fetching inputs is part of an attempt's time. */
  runMs: number;
  graceMs: number;
  hear: () => Promise<void>;
  /** The runner has left a checkpoint. */
  onCheckpoint: (checkpoint: Extract<FromRunner, { type: 'checkpoint' }>) => void;
  /** The time is up; whoever is told calls `stop('timeout')`. */
  onTimeout: () => void;
}

/** One attempt's work on a child: starts it, listens, and ends it when asked, when its time is up, or when it ends by itself. */
export class ChildWork {
  readonly #options: ChildWorkOptions;
  readonly #verdict = defer<Verdict>();
  readonly #stopAsked = defer<null>();
  readonly #lost = defer<null>();
  #stop: StopReason | null = null;

  readonly #deadline: Deadline;

  constructor(options: ChildWorkOptions) {
    this.#options = options;
    const { clock, runMs, hear, onTimeout } = options;
    this.#deadline = new Deadline({ clock, afterMs: runMs, hear, expire: onTimeout });
  }

  /** Forgets the time limit. For work that never began. */
  close(): void {
    this.#deadline.close();
  }

  /** Asks for the end. The first reason counts; `lost` overrides it and does not wait for anybody. */
  stop(reason: StopReason): void {
    if (this.#stop === null || reason === 'lost') this.#stop = reason;
    this.#stopAsked.resolve(null);
    if (reason === 'lost') this.#lost.resolve(null);
  }

  /** Resolves when nothing more can come from the child for this attempt. Never rejects. */
  async run(start: Extract<ToRunner, { type: 'start' }>): Promise<WorkEnd> {
    const { child } = this.#options;
    child.attach({
      message: (message) => this.#hear(message),
      output: (stream: OutputStream, bytes) => this.#options.reporter.output(stream, bytes),
      exit: (exit) => this.#verdict.resolve({ type: 'exited', exit }),
    });
    if (child.isOver) this.#verdict.resolve({ type: 'exited', exit: await child.exited });
    child.send(start);
    await Promise.race([this.#verdict.promise, this.#stopAsked.promise]);
    const isForced = this.#stop !== null && !(await this.#askToStop());
    this.#deadline.close();
    return this.#settle(isForced);
  }

  #hear(message: FromRunner): void {
    const { reporter } = this.#options;
    if (message.type === 'progress') reporter.progress(message);
    else if (message.type === 'metrics') for (const metric of message.metrics) reporter.metric(metric);
    else if (message.type === 'checkpoint') this.#options.onCheckpoint(message);
    else if (message.type === 'done' || message.type === 'failed' || message.type === 'stopped')
      this.#verdict.resolve(message);
  }

  /** True when the child gave its verdict within the grace. */
  async #askToStop(): Promise<boolean> {
    const { child, graceMs } = this.#options;
    if (this.#stop !== 'lost') {
      child.send({ type: 'stop', reason: this.#stop ?? 'cancel' });
      const answer = Promise.race([this.#verdict.promise, this.#lost.promise]);
      if (await within(answer, graceMs, null)) return true;
    }
    // The verdict may have come in the same moment as the limit; a lost attempt's child is ended all the same.
    return this.#stop !== 'lost' && (await within(this.#verdict.promise, 0, null)) !== null;
  }

  async #settle(isForced: boolean): Promise<WorkEnd> {
    const { child } = this.#options;
    let isGroupGone = true;
    if (isForced) isGroupGone = await child.end(this.#stop === 'lost' ? 0 : termMs);
    const exited = { type: 'exited', exit: { code: null, signal: null } } as const;
    const verdict = isForced
      ? await within(this.#verdict.promise, pipesMs, exited)
      : await this.#verdict.promise;
    // What is left in the pipes is no more than they hold: read on, even if reports are held back.
    child.setPaused(false);
    if (verdict.type === 'exited') {
      if (!isForced) isGroupGone = await child.end(0);
      await child.pipesEnded(pipesMs);
    } else await child.hasDelivered(verdict.written, pipesMs);
    return { verdict, stop: this.#stop, isForced, isGroupGone };
  }
}
