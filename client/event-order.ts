/** What a numbered event is to a reader: the next one, one already seen, or one after a hole. */
export type Place = 'next' | 'old' | 'gap';

/** Where a reader stands in a job's sequence. It only moves forward: a resent or late event is recognised by its number alone. */
export class EventOrder {
  #last: number;

  /** @param after the last number already seen; 0 for none */
  constructor(after: number) {
    this.#last = after;
  }

  get last(): number {
    return this.#last;
  }

  placeOf(sequence: number): Place {
    if (sequence <= this.#last) return 'old';
    return sequence === this.#last + 1 ? 'next' : 'gap';
  }

  /** The event was taken; numbers up to it are never taken again. */
  advance(sequence: number): void {
    this.#last = Math.max(this.#last, sequence);
  }
}
