import type { Logger } from './ports.js';

/** Runs `work` at its start and every `everyMs` after that, never twice at once; a failure is logged and the next time comes all the same. */
export class Periodic {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => void this.runNow(), this.everyMs);
    void this.runNow();
  }

  /** Runs at once, or joins the run in progress. */
  runNow(): Promise<void> {
    this.#running ??= this.work()
      .catch((error: unknown) =>
        this.logger.error({ err: error, task: this.name }, 'a periodic task failed; it comes again'),
      )
      .finally(() => (this.#running = null));
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}
