/**
 * An async generator that can be ended while it waits: `return()` of a plain one is only heard after its pending wait, which for a quiet
 * subscription may never end.
 */
export function abortable<T>(
  make: (abort: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const controller = new AbortController();
  const generator = make(controller.signal);
  const iterator: AsyncGenerator<T, void, void> = {
    next: () => generator.next(),
    return(value) {
      controller.abort();
      return generator.return(value);
    },
    throw(error) {
      controller.abort();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]: () => iterator,
    async [Symbol.asyncDispose]() {
      await iterator.return();
    },
  };
  return iterator;
}
