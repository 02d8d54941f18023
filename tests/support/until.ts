/** How long a test waits for a condition, in ms. */
const limitMs = 5_000;

/** Resolves with the first truthy value of `condition`, looked at every 10 ms; rejects with its last value after 5 s. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = limitMs,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > deadline)
      throw new Error(`Waited ${withinMs} ms for: ${what}. Last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
