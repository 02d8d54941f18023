import type { ConnectionState, LiveLink } from './live-link.js';

/** Tells one subscription's listener whether what it sees is current, each state once. Nothing is told before the first connection. */
export class StateReport {
  #told: ConnectionState | null = null;
  readonly #forget: () => void;

  constructor(
    private readonly link: LiveLink,
    private readonly listener: ((state: ConnectionState) => void) | undefined,
  ) {
    this.#forget = link.onState((state) => this.enter(state));
  }

  /** A new try begins; on a socket that is open there will be no event to wait for. */
  begin(): void {
    if (this.link.state === 'live') this.enter('live');
  }

  enter(state: ConnectionState): void {
    if (state === this.#told) return;
    this.#told = state;
    this.listener?.(state);
  }

  stop(): void {
    this.#forget();
  }
}
