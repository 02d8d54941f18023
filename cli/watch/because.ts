/** What is so, and why, as far as it is known. */
export const because = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(': ');
