/** What a key press comes to, given the keys pressed just before it. */
export interface Step {
  /** The keys of the act to run; null for none. */
  hit: string | null;
  /** What the next press continues. */
  pending: string;
}

/** Keys are written as they are pressed, sequences with a space between: `j`, `?`, `g d`. The longest known sequence wins. */
export function stepKeys(pending: string, key: string, known: readonly string[]): Step {
  for (const typed of pending === '' ? [key] : [`${pending} ${key}`, key]) {
    if (known.includes(typed)) return { hit: typed, pending: '' };
    if (known.some((keys) => keys.startsWith(`${typed} `))) return { hit: null, pending: typed };
  }
  return { hit: null, pending: '' };
}
