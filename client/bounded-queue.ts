/** What {@link BoundedQueue.next} rejects with when more came than the queue may hold; everything before it was handed out. */
export class OverflowError extends Error {
  override readonly name = 'OverflowError';
}

/**
 * Between a socket that pushes and a loop that pulls. It holds at most `limit` items; one more ends it, because what is numbered can be
 * read again and what is not is stale by then. One reader only.
 */
export class BoundedQueue<T> {
  #items: T[] = [];
  #ended: { error: unknown } | null = null;
  #wake: (() => void) | null = null;

  constructor(private readonly limit: number) {}

  push(item: T): void {
    if (this.#ended) return;
    if (this.#items.length >= this.limit) this.end(new OverflowError());
    else this.#items.push(item);
    this.#wake?.();
  }

  /** No more will come: `error` undefined for a clean end. The first end counts. */
  end(error?: unknown): void {
    this.#ended ??= { error };
    this.#wake?.();
  }

  /** The next item, or done; rejects with what the queue was ended with once it is empty. */
  async next(): Promise<IteratorResult<T, undefined>> {
    while (this.#items.length === 0 && !this.#ended)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = null;
    const item = this.#items.shift();
    if (item !== undefined) return { done: false, value: item };
    if (this.#ended?.error !== undefined) throw this.#ended.error as Error;
    return { done: true, value: undefined };
  }
}
