import type { HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import { defer } from '../wait.js';
import type { AttemptRun } from './run-attempt.js';
import type { StopReason } from './child-work.js';

/** The attempts of this worker whose processes live or whose end is not acknowledged yet. */
export class LivingAttempts {
  readonly #runs = new Map<string, AttemptRun>();
  #empty: (() => void)[] = [];

  get size(): number {
    return this.#runs.size;
  }

  add(run: AttemptRun): void {
    this.#runs.set(run.attemptId, run);
  }

  remove(run: AttemptRun): void {
    if (this.#runs.get(run.attemptId) === run) this.#runs.delete(run.attemptId);
    if (this.#runs.size === 0) for (const tell of this.#empty.splice(0)) tell();
  }

  /** For a beat. */
  list(): HeartbeatRequest['attempts'] {
    return [...this.#runs.values()].map(({ attemptId, tokenHash }) => ({ attemptId, tokenHash }));
  }

  /** Stops the named ones; ids that are not here (any more) are no fault. */
  stop(ids: readonly string[], reason: StopReason): void {
    for (const id of ids) this.#runs.get(id)?.stop(reason);
  }

  stopAll(reason: StopReason): void {
    this.stop([...this.#runs.keys()], reason);
  }

  /** Gives up waiting for the server in all of them. */
  abandonAll(): void {
    for (const run of this.#runs.values()) run.abandon();
  }

  /** Resolves when none is left. */
  whenEmpty(): Promise<void> {
    if (this.#runs.size === 0) return Promise.resolve();
    const empty = defer<void>();
    this.#empty.push(() => empty.resolve());
    return empty.promise;
  }
}
