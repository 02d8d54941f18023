import { UnreachableError } from './errors.js';

/** Aborts a transfer that was not touched for `ms`: a big file may take hours, a silent connection may not. */
export class Watchdog {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ms: number) {
    this.touch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something moved: the time starts anew. */
  touch(): void {
    this.stop();
    const silence = new UnreachableError('The transfer stood still for too long.');
    this.#timer = setTimeout(() => this.#controller.abort(silence), this.ms);
  }

  /** Nothing is awaited from the other side, until the next touch. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
