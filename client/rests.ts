import { anySignal, pause } from './pause.js';

/** Pauses before a next try, which may be cut short: the network came back, or somebody does not want to wait. */
export class Rests {
  readonly #cuts = new Set<() => void>();

  /** Waits `ms` or until {@link hurry}; rejects with the signal's reason. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const cut = new AbortController();
    const stop = (): void => cut.abort();
    this.#cuts.add(stop);
    try {
      await pause(ms, anySignal(signal, cut.signal));
    } catch (error) {
      if (signal.aborted || !cut.signal.aborted) throw error;
    } finally {
      this.#cuts.delete(stop);
    }
  }

  /** Ends every pause that is under way. */
  hurry(): void {
    for (const stop of [...this.#cuts]) stop();
  }
}
