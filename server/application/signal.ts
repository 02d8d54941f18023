/** Lets many wait for "something changed". Who notes the version before looking, and waits after it, misses nothing. */
export class Signal {
  version = 0;
  readonly #waiters = new Set<() => void>();

  fire(): void {
    this.version++;
    for (const waiter of [...this.#waiters]) waiter();
  }

  /** Resolves once the version is another one than `version`, or when aborted. */
  changedSince(version: number, abort: AbortSignal): Promise<void> {
    if (this.version !== version || abort.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        abort.removeEventListener('abort', done);
        this.#waiters.delete(done);
        resolve();
      };
      abort.addEventListener('abort', done, { once: true });
      this.#waiters.add(done);
    });
  }
}
