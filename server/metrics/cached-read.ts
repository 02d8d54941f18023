/** How long one read serves all who ask, in ms: scraping often costs nothing. */
const reuseMs = 1_000;
/** A read that takes longer counts as failed, in ms. */
const limitMs = 2_000;

/**
 * A read that is shared, limited in time and never fails: null when it did. One that is still under way after its time is not started a
 * second time, so that a store that hangs holds one connection at most.
 */
export function cachedRead<T>(
  read: () => Promise<T>,
  limits = { reuseMs, limitMs },
): () => Promise<T | null> {
  let last: { at: number; value: Promise<T | null> } | undefined;
  let isUnderWay = false;
  const begin = (): Promise<T | null> => {
    isUnderWay = true;
    const value = read().finally(() => (isUnderWay = false));
    return within(value, limits.limitMs);
  };
  return () => {
    const now = performance.now();
    if (last && (isUnderWay || now - last.at < limits.reuseMs)) return last.value;
    last = { at: now, value: begin() };
    return last.value;
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
