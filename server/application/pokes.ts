import type { PubSub } from './ports.js';

/** How long a worker's wait is held open before it is answered with nothing, in ms. */
const waitMs = 25_000;

/** Lets a worker wait for "beat now": a cancel request reaches it at once instead of at its next heartbeat. The beat is the truth. */
export class Pokes {
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Workers poked while they did not wait here: their next wait is answered at once. At most one entry per worker. */
  readonly #missed = new Set<string>();
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  constructor(private readonly pubsub: PubSub) {}

  start(): void {
    this.pubsub
      .subscribe('poke', '', ({ workerId }) => this.#poke(workerId))
      .then((unsubscribe) => (this.#isClosed ? unsubscribe() : (this.#unsubscribe = unsubscribe)))
      .catch(() => undefined); // without pokes a cancel comes with the next heartbeat
  }

  /** Resolves when the worker is poked, when it hangs up, or after 25 s. */
  wait(workerId: string, hangUp: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const answers = this.#waiting.get(workerId) ?? new Set();
      const answer = (): void => {
        clearTimeout(timer);
        hangUp.removeEventListener('abort', answer);
        answers.delete(answer);
        if (answers.size === 0) this.#waiting.delete(workerId);
        resolve();
      };
      const timer = setTimeout(answer, waitMs);
      answers.add(answer);
      this.#waiting.set(workerId, answers);
      hangUp.addEventListener('abort', answer, { once: true });
      if (this.#missed.delete(workerId) || this.#isClosed || hangUp.aborted) answer();
    });
  }

  #poke(workerId: string): void {
    const answers = this.#waiting.get(workerId);
    if (!answers) this.#missed.add(workerId);
    else for (const answer of [...answers]) answer();
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe?.();
    for (const answers of [...this.#waiting.values()]) for (const answer of [...answers]) answer();
  }
}
