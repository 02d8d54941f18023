import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from './child.js';
import { describeProblem } from './problem.js';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** A service that ran this long is taken as sound: the next restart is quick again. */
const SOUND_MS = 60_000;
const LOG_CHECK_MS = 30_000;

/**
 * How to start one service until it is ready. `again` is true for every start but the first. `spawned` is told
 * the child before it is ready, so that a close in between can end it; a start that fails ends its child itself.
 */
export interface ServicePlan {
  name: string;
  start(again: boolean, spawned: (child: Child) => void): Promise<Child>;
}

/** What a service does beside starting. */
export interface ServiceOptions {
  /** Start it again when it ends by itself, after 1 s, doubling to 30 s. */
  keepAlive: boolean;
  /** Told one line about each end and each failed restart. */
  say: (line: string) => void;
  /** Told after each start, when the service is ready. */
  started: () => void;
}

/** One started thing that can be stopped, started again and, when wished, keeps itself alive. */
export class Service {
  #child: Child | undefined;
  #starts = 0;
  #closed = false;
  #delayMs = FIRST_DELAY_MS;
  #work: Promise<unknown> = Promise.resolve();
  #wanted = false;
  readonly #wake = new AbortController();
  readonly #logTimer: NodeJS.Timeout;

  constructor(
    readonly plan: ServicePlan,
    readonly options: ServiceOptions,
  ) {
    this.#logTimer = setInterval(() => this.#child?.boundLog(), LOG_CHECK_MS).unref();
  }

  /** Pid of the running child, undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.exit === undefined ? this.#child?.pid : undefined;
  }

  /** Starts the service and waits until it is ready; nothing happens when it runs. */
  start(): Promise<void> {
    return this.#inTurn(() => this.#start());
  }

  /** Stops the service and leaves it stopped. */
  stop(): Promise<void> {
    return this.#inTurn(() => this.#stop());
  }

  /** Stops the service if it runs and starts it again. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  /** Sends one signal; the wish to run stays, so with `keepAlive` a killed service comes back. */
  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Settles when the child that runs now has ended. */
  async ended(): Promise<void> {
    await this.#child?.exited;
  }

  /** Stops for good. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake.abort();
    clearInterval(this.#logTimer);
    void this.#child?.stop(); // also one that is not ready yet: its start then fails and gives up its turn
    await this.stop();
  }

  /** Kills the whole group at once and starts nothing any more, for a forced exit. */
  destroy(): void {
    this.#closed = true;
    this.#child?.destroy();
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#work.then(step, step);
    this.#work = turn.catch(() => undefined);
    return turn;
  }

  async #start(): Promise<void> {
    if (this.#closed || this.pid !== undefined) return;
    this.#wanted = true;
    const child = await this.plan.start(this.#starts++ > 0, (spawned) => this.#hold(spawned));
    this.options.started();
    const startedAt = performance.now();
    void child.exited.then(() => this.#afterExit(child, performance.now() - startedAt));
  }

  #hold(child: Child): void {
    this.#child = child;
    if (this.#closed) void child.stop();
  }

  async #stop(): Promise<void> {
    this.#wanted = false;
    await this.#child?.stop();
  }

  #afterExit(child: Child, livedMs: number): void {
    if (!this.#wanted || this.#closed || child !== this.#child) return;
    if (livedMs > SOUND_MS) this.#delayMs = FIRST_DELAY_MS;
    const how = child.exit?.signal ?? `code ${child.exit?.code}`;
    if (this.options.keepAlive) void this.#comeBack(`${this.plan.name} ended (${how})`);
    else this.options.say(`${this.plan.name} ended (${how})`);
  }

  async #comeBack(why: string): Promise<void> {
    let reason = why;
    while (!this.#closed && this.#wanted && this.pid === undefined) {
      const delayMs = this.#delayMs;
      this.#delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2);
      this.options.say(`${reason}; starting it again in ${delayMs / 1000} s`);
      await pause(delayMs, undefined, { signal: this.#wake.signal }).catch(() => undefined);
      try {
        await this.#inTurn(async () => {
          if (this.#wanted) await this.#start();
        });
        return;
      } catch (error) {
        reason = describeProblem(error);
      }
    }
  }
}
