import { pause } from '../wait.js';

/** Looks until `look` says yes. Fails with `what` after `limitMs`. For tests only. */
export async function until(
  look: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 10_000,
): Promise<void> {
  const endsAt = performance.now() + limitMs;
  while (!(await look())) {
    if (performance.now() > endsAt) throw new Error(`Waited ${limitMs} ms in vain for ${what}.`);
    await pause(10);
  }
}
