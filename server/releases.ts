import type { Logger } from './application/ports.js';

interface Release {
  what: string;
  run: () => unknown;
}

/**
 * What was started, to be let go in reverse order. Each step has a limit and its own failure; neither keeps the next from running.
 * `close` may be called any number of times.
 */
export class Releases {
  readonly #stack: Release[] = [];
  #closing: Promise<void> | undefined;

  constructor(
    private readonly logger: Logger,
    /** Of one step, in ms. */
    private readonly limitMs = 5_000,
  ) {}

  /** Notes how to let go of what was just started. */
  add(what: string, run: () => unknown): void {
    this.#stack.push({ what, run });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (let release = this.#stack.pop(); release; release = this.#stack.pop())
      await this.#runLimited(release);
  }

  async #runLimited({ what, run }: Release): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${this.limitMs} ms`)), this.limitMs);
    });
    try {
      await Promise.race([Promise.resolve().then(run), late]);
    } catch (error) {
      this.logger.warn({ err: error, what }, 'a part did not stop cleanly');
    } finally {
      clearTimeout(timer);
    }
  }
}
