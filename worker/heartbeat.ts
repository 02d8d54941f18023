import type { HeartbeatAnswer, HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import { isFault, type LinkError } from './link/link-error.js';
import type { Logger } from './logger.js';
import type { RunningClock } from './running-clock.js';

export interface HeartbeatOptions {
  /** One beat; fails with a LinkError. */
  send: (body: HeartbeatRequest, timeoutMs: number) => Promise<HeartbeatAnswer>;
  /** What is true now, but for the probes. */
  body: () => Omit<HeartbeatRequest, 'probes'>;
  everyMs: number;
  /** A beat that takes longer is given up, in ms. */
  timeoutMs: number;
  orphanMs: number;
  clock: RunningClock;
  onAnswer: (answer: HeartbeatAnswer) => void;
  /** No beat was acknowledged for `orphanMs`. Called again with each further failed beat. */
  onOrphaned: () => void;
  /** 401, 403, 409: the server does not want this worker. */
  onForbidden: (error: LinkError) => void;
  /** 404: the server does not know this worker (any more). */
  onUnknown: () => void;
  log: Logger;
}

/** Beats at a steady pace, at once when asked, and never two at a time. The next one is due `everyMs` after the last began. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #probes: string[] = [];
  #acknowledgedAtMs: number;
  #isFailing = false;
  #isClosed = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#acknowledgedAtMs = options.clock.nowMs();
  }

  start(): void {
    this.#schedule(0);
  }

  /** A probe message was popped: the server hears of it now, and until a beat that says so is acknowledged. */
  addProbe(probeId: string): void {
    // More than a beat may carry means nobody hears us; the newest are the ones still asked for.
    this.#probes = [...this.#probes, probeId].slice(-1_024);
    void this.beat().catch(() => undefined);
  }

  /** A beat that begins after this call; resolves when its answer has been acted on, rejects when there was none. */
  beat(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (!this.#current) return this.#begin();
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.#current ?? this.#begin();
      });
    return this.#next;
  }

  /** No further beats. One in flight is not waited for. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #begin(): Promise<void> {
    this.#schedule(this.#options.everyMs);
    this.#current = this.#sendOne().finally(() => {
      this.#current = null;
    });
    return this.#current;
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.beat().catch(() => undefined), afterMs);
  }

  async #sendOne(): Promise<void> {
    const { send, body, timeoutMs, clock, onAnswer, log } = this.#options;
    const probes = this.#probes;
    try {
      const answer = await send({ ...body(), probes }, timeoutMs);
      this.#probes = this.#probes.filter((id) => !probes.includes(id));
      this.#acknowledgedAtMs = clock.nowMs();
      if (this.#isFailing) log.info('the server answers beats again');
      this.#isFailing = false;
      if (!this.#isClosed) onAnswer(answer);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    const { clock, orphanMs, log } = this.#options;
    if (this.#isClosed) return;
    if (!this.#isFailing)
      log.warn({ err: error }, 'the server does not answer beats; going on and trying again');
    this.#isFailing = true;
    if (isFault(error, 'forbidden')) this.#options.onForbidden(error);
    else if (isFault(error, 'gone')) this.#options.onUnknown();
    if (clock.nowMs() - this.#acknowledgedAtMs > orphanMs) this.#options.onOrphaned();
  }
}
