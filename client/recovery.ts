import { BackOff } from './back-off.js';
import { OverflowError } from './bounded-queue.js';
import { ApiError } from './errors.js';
import type { Rests } from './rests.js';
import { isTransient } from './retry.js';
import type { Session } from './session.js';

/** A server that fails inside, again and again without one event between, is broken and not merely busy. */
const internalTries = 5;
/** A subscription that held this long, in ms, was healthy: the next fault starts with a short pause again. */
const healthyMs = 10_000;
/** A token that is refused later than this, in ms, had been accepted and then ran out: also on a job where nothing happens meanwhile. */
const acceptedMs = 500;

/**
 * What a subscription does when it breaks: resume at once, resume after a pause, or give up. Transient faults are retried without end;
 * a refusal of the person or of the question ends it.
 */
export class Recovery {
  readonly #backOff: BackOff;
  #internal = 0;
  #renewed = false;
  #startedAt = 0;
  #token: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly signal: AbortSignal,
    private readonly rests: Rests,
    backOff = new BackOff(),
  ) {
    this.#backOff = backOff;
  }

  /** A new try begins, with the session's present token. */
  begin(): void {
    this.#startedAt = performance.now();
    this.#token = this.session.accessToken;
  }

  /** Something arrived: the link works. */
  progressed(): void {
    this.#backOff.reset();
    this.#internal = 0;
    this.#renewed = false;
  }

  /** Resolves when it is time to try again; throws what must end the subscription. */
  async after(error: unknown): Promise<void> {
    this.signal.throwIfAborted();
    if (performance.now() - this.#startedAt > healthyMs) this.progressed();
    if (error instanceof OverflowError) return;
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') {
      if (await this.#renew(error)) return;
    } else if (error instanceof ApiError && error.code === 'INTERNAL') {
      this.#internal += 1;
      if (this.#internal >= internalTries) throw error;
    } else if (!isTransient(error)) throw error;
    await this.rests.pause(this.#backOff.next(), this.signal);
  }

  /** True: another token is in hand. False: not known yet, wait. A fresh token that is refused again ends it. */
  async #renew(refusal: ApiError): Promise<boolean> {
    if (this.#renewed && performance.now() - this.#startedAt < acceptedMs) throw refusal;
    try {
      if (!(await this.session.renew(this.#token))) throw refusal;
    } catch (error) {
      if (isTransient(error)) return false;
      throw error;
    }
    this.#renewed = true;
    return true;
  }
}
