import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { SlotHealth } from '../device/health.js';
import { signalGroup } from '../child/process-group.js';
import type { RunnerChild, RunnerStart } from '../child/spawn.js';
import type { Logger } from '../logger.js';
import { defer, pause, within, type Deferred } from '../wait.js';
import { mustReplace, newUse, wantsReplacement, type ChildUse } from './replacement.js';

/** SIGTERM to SIGKILL for a child that is ended while no attempt runs on it, in ms. */
const idleTermMs = 1_000;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** A child is replaced for its age only in a quiet moment of this length, in ms. */
const quietMs = 1_000;
const heldReason = 'a program comes in its place';
/** A ready child that lives this long, in ms, is taken for sound. */
const stableMs = 5_000;

/** A ready child with what is known of its use. */
export interface WarmChild {
  child: RunnerChild;
  engine: string;
  use: ChildUse;
  /** For a child that was made for one attempt: when it may begin, a sentence or null; and how its program is kept, one sentence. */
  fresh?: { ready: Promise<string | null>; containment: string };
}

export interface SlotOptions {
  uid: string;
  index: number;
  makeChild: () => RunnerChild;
  /** Programs of users may run here, for which no engine of ours need work. */
  takesPrograms?: boolean;
  /** Why a child that computes with this engine is not wanted here, or null. */
  refusalOf?: (engine: string) => string | null;
  log: Logger;
  /** Told when a child becomes ready or fails to. */
  onChange: () => void;
}

/**
 * A place on a device for one attempt: keeps exactly one warm child there, replaced when it ended, broke, leaks or is old. One attempt at
 * a time: `acquire` waits its turn.
 */
export class Slot {
  readonly uid: string;
  readonly index: number;
  /** Settles when the first child said what works here, or failed. */
  readonly firstStart: Promise<RunnerStart>;
  readonly #options: SlotOptions;
  readonly #firstStart = defer<RunnerStart>();
  readonly #stop = new AbortController();
  #warm: WarmChild | null = null;
  #current: RunnerChild | null = null;
  /** Stands for a child where no engine works but programs may run: who acquires it has the slot all the same. */
  #bare: WarmChild | null = null;
  /** A child that was made for one attempt, in the place of the warm one. */
  #loan: RunnerChild | null = null;
  #holds = 0;
  #unheld = defer<void>();
  #isTaken = false;
  #isParked = false;
  #unparked = defer<void>();
  #waiting: Deferred<WarmChild | null>[] = [];
  #failures = 0;
  #trouble: SlotHealth['trouble'] = null;
  #audit: EngineAudit[] = [];
  #isUnusable = false;
  /** Why its child must go as soon as it is free, or null. */
  #retirement: string | null = null;
  #keeping: Promise<void> | null = null;
  #quietTimer: NodeJS.Timeout | undefined;

  constructor(options: SlotOptions) {
    this.#options = options;
    this.uid = options.uid;
    this.index = options.index;
    this.firstStart = this.#firstStart.promise;
  }

  get health(): SlotHealth {
    return { uid: this.uid, trouble: this.#trouble };
  }

  get audit(): EngineAudit[] {
    return this.#audit;
  }

  /** The engine of the warm child, or null while there is none. */
  get engine(): string | null {
    return this.#warm?.engine ?? null;
  }

  /** The newest child said that no engine works here. */
  get isUnusable(): boolean {
    return this.#isUnusable;
  }

  /** Pid, and group, of the newest child, or of the one that works in its place; it may be over. Null before the first. */
  get childPid(): number | null {
    return (this.#loan ?? this.#current)?.pid ?? null;
  }

  start(): void {
    this.#keeping ??= this.#keepWarm();
  }

  /** The slot's child, for this caller alone, once it is ready and free. Null when that took longer than `limitMs`, or on close. */
  async acquire(limitMs: number): Promise<WarmChild | null> {
    clearTimeout(this.#quietTimer);
    if (this.#stop.signal.aborted) return null;
    const turn = defer<WarmChild | null>();
    this.#waiting.push(turn);
    this.#serve();
    const warm = await within(turn.promise, limitMs, null);
    if (warm === null) this.#waiting = this.#waiting.filter((other) => other !== turn);
    turn.resolve(null);
    return warm;
  }

  /** Gives the child back. With a `fault` it is replaced; `isGroupGone` false says that its processes would not end. */
  release(warm: WarmChild, fault: string | null, isGroupGone = true): void {
    warm.child.attach(null);
    this.#isTaken = false;
    if (!isGroupGone)
      this.#trouble = { health: 'DIRTY', reason: 'Processes of an ended attempt could not be ended.' };
    // Its child may be gone already, and the next one ready.
    if (warm !== this.#warm) return this.#serve();
    const reason = fault ?? this.#retirement ?? (this.#holds > 0 ? heldReason : mustReplace(warm.use));
    if (reason !== null) this.#replace(warm, reason);
    else if (wantsReplacement(warm.use)) {
      this.#quietTimer = setTimeout(() => {
        if (!this.#isTaken && warm === this.#warm) this.#replace(warm, 'it has done many jobs');
      }, quietMs);
      this.#quietTimer.unref();
    }
    this.#serve();
  }

  /**
   * Ends the child and starts none until `unhold`, which each call needs once. Resolves when all of the child's processes are gone, or when
   * the worker closes; one that works for an attempt ends it first, unless the caller has acquired it: `mine`.
   */
  async hold(mine: WarmChild | null): Promise<void> {
    if (this.#holds === 0) this.#unheld = defer<void>();
    this.#holds += 1;
    const [warm, child] = [this.#warm, this.#current];
    if (!child) return;
    if (warm !== null && this.#isTaken && warm !== mine) await child.exited;
    else if (warm) this.#replace(warm, heldReason);
    while (!(await child.end(idleTermMs)) && !this.#stop.signal.aborted);
  }

  unhold(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#unheld.resolve();
  }

  /** While the slot is held, this child works in the place of its own. */
  lend(child: RunnerChild): void {
    this.#loan = child;
  }

  /** Ends the lent child. Resolves when all of its processes are gone, or when the worker closes: the slot is closed for that long. */
  async endLoan(): Promise<void> {
    if (this.#loan) await this.#sweep(this.#loan, false);
    this.#loan = null;
  }

  /** Replaces the child, once the attempt that has it is over. */
  retire(reason: string): void {
    if (!this.#warm) return;
    if (this.#isTaken) this.#retirement = reason;
    else this.#replace(this.#warm, reason);
  }

  /** Ends the child and starts none until `unpark`. */
  park(reason: string): void {
    if (this.#isParked) return;
    this.#isParked = true;
    this.#unparked = defer<void>();
    if (this.#warm) this.#replace(this.#warm, reason);
    else void this.#current?.end(idleTermMs);
  }

  unpark(): void {
    this.#isParked = false;
    this.#unparked.resolve();
  }

  /** Kills its children's groups at once and waits for nothing. */
  kill(): void {
    for (const child of [this.#current, this.#loan])
      if (child && child.pid > 0) signalGroup(child.pid, 'SIGKILL');
  }

  /** Ends the child; resolves when its group is gone, or could not be ended within the limits. */
  async close(): Promise<void> {
    clearTimeout(this.#quietTimer);
    this.#stop.abort();
    this.unpark();
    this.#unheld.resolve();
    for (const turn of this.#waiting.splice(0)) turn.resolve(null);
    await Promise.all([this.#current?.end(idleTermMs), this.#loan?.end(0)]);
    await this.#keeping;
  }

  #serve(): void {
    const warm = this.#warm && !this.#warm.child.isOver ? this.#warm : this.#bare;
    if (this.#isTaken || this.#holds > 0 || !warm) return;
    const turn = this.#waiting.shift();
    if (!turn) return;
    this.#isTaken = true;
    turn.resolve(warm);
  }

  /** The keeping loop starts the next one when it sees this one's exit. */
  #replace(warm: WarmChild, reason: string): void {
    this.#options.log.info({ slot: this.index, pid: warm.child.pid, reason }, 'the runner child is replaced');
    this.#warm = null;
    void warm.child.end(idleTermMs);
  }

  async #keepWarm(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (this.#isParked) await this.#unparked.promise;
      if (this.#holds > 0) await this.#unheld.promise;
      if (signal.aborted) return;
      if (this.#isParked || this.#holds > 0) continue;
      const child = this.#options.makeChild();
      this.#current = child;
      const said = await child.started;
      if (said.type !== 'failed') this.#audit = said.audit;
      this.#isUnusable = said.type === 'unusable';
      const started = this.#judge(said);
      if (started.type === 'ready') this.#becomeReady(child, started);
      else if (started.type === 'unusable' && this.#options.takesPrograms) this.#becomeBare(child);
      else this.#failedToStart(started);
      this.#firstStart.resolve(started);
      this.#options.onChange();
      const isStable = started.type === 'ready' && (await this.#outlast(child));
      this.#warm = null;
      await this.#sweep(child, signal.aborted);
      if (!isStable) await pause(this.#backoffMs(), signal);
    }
  }

  /** Waits for the end of a ready child. False when it came at once and before any work: the next one would most likely do the same. */
  async #outlast(child: RunnerChild): Promise<boolean> {
    const warm = this.#warm;
    const readyAt = performance.now();
    await child.exited;
    const isEarly = warm !== null && warm === this.#warm && warm.use.jobs === 0 && !this.#isTaken;
    if (!isEarly || performance.now() - readyAt > stableMs) {
      this.#failures = 0;
      return true;
    }
    this.#failures += 1;
    return false;
  }

  #judge(said: RunnerStart): RunnerStart {
    const refusal = said.type === 'ready' ? this.#options.refusalOf?.(said.engine) : null;
    return refusal ? { type: 'failed', reason: refusal } : said;
  }

  #becomeReady(child: RunnerChild, { engine, rssBytes }: { engine: string; rssBytes: number }): void {
    this.#trouble = null;
    this.#bare = null;
    this.#retirement = null;
    this.#warm = { child, engine, use: newUse(rssBytes) };
    this.#options.log.info({ slot: this.index, pid: child.pid, engine }, 'runner child ready');
    this.#serve();
  }

  /** What is missing here may be set up later, so it is tried again like a failure. */
  #becomeBare(child: RunnerChild): void {
    this.#failures += 1;
    this.#trouble = null;
    this.#bare = { child, engine: 'none', use: newUse(0) };
    this.#serve();
  }

  #failedToStart(started: Exclude<RunnerStart, { type: 'ready' }>): void {
    // We ended it ourselves.
    if (this.#holds > 0) return;
    this.#failures += 1;
    const reason =
      started.type === 'failed' ? `the runner failed: ${started.reason}` : 'no engine works here';
    this.#options.log.warn(
      { slot: this.index, failures: this.#failures, reason },
      'runner child did not start',
    );
    this.#trouble = { health: 'UNKNOWN', reason: `Slot ${this.index}: ${reason}.` };
  }

  /** Nothing new starts on this slot before all processes of the last child are gone. */
  async #sweep(child: RunnerChild, isClosing: boolean): Promise<void> {
    while (!(await child.end(0))) {
      this.#trouble = { health: 'DIRTY', reason: 'Processes of an ended attempt could not be ended.' };
      this.#options.onChange();
      this.#options.log.error({ slot: this.index, group: child.pid }, 'a process group does not go away');
      if (isClosing || this.#stop.signal.aborted) return;
    }
    if (this.#trouble?.health === 'DIRTY') this.#trouble = null;
  }

  #backoffMs(): number {
    const base = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(this.#failures - 1, 10));
    return base * (0.5 + Math.random() / 2);
  }
}
