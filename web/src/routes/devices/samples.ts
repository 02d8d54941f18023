/** What a figure became at a moment; it stays so until the next one. Null where nothing was told. */
export interface Sample {
  /** By this page's own steady clock, in ms. */
  at: number;
  value: number | null;
}

/** So much is drawn, in ms. */
export const drawnMs = 120_000;

/** Adds what a figure is from `at` on, and forgets what is not drawn any more. The one before the first moment drawn is kept: it holds there. */
export function addSample(samples: readonly Sample[], at: number, value: number | null): readonly Sample[] {
  if (samples.length > 0 && samples.at(-1)?.value === value) return samples;
  const first = samples.findLastIndex((sample) => sample.at <= at - drawnMs);
  return [...samples.slice(Math.max(0, first)), { at, value }];
}
