import { drawnMs, type Sample } from './samples.js';

/** The box that lines are drawn in; it is stretched to its place. */
export const sparkBox = { width: 120, height: 20 };

/** What is drawn of a figure: its line in steps, and the ground below it. */
export interface SparkPath {
  line: string;
  area: string;
}

interface Stretch {
  from: number;
  to: number;
  value: number;
}

/** The stretches in which the figure was known, from the first moment drawn to `now`. */
function stretchesOf(samples: readonly Sample[], now: number): Stretch[] {
  const start = now - drawnMs;
  return samples.flatMap(({ at, value }, index) => {
    const to = Math.min(now, samples[index + 1]?.at ?? now);
    const from = Math.max(start, at);
    return value === null || to <= from ? [] : [{ from, to, value }];
  });
}

/** Draws samples in steps, since a figure holds until the next one; nothing where nothing was known. `most` is the top of the scale. */
export function sparkPath(samples: readonly Sample[], now: number, most: number): SparkPath {
  const { width, height } = sparkBox;
  const x = (at: number): string => ((1 - (now - at) / drawnMs) * width).toFixed(1);
  // The line itself stays within the box, at nothing and at all of it.
  const y = (value: number): string => (height - 1 - Math.min(1, value / most) * (height - 2)).toFixed(1);
  let line = '';
  let area = '';
  let end: number | null = null;
  for (const { from, to, value } of stretchesOf(samples, now)) {
    line += from === end ? `V${y(value)}H${x(to)}` : `M${x(from)} ${y(value)}H${x(to)}`;
    area += `M${x(from)} ${height}V${y(value)}H${x(to)}V${height}Z`;
    end = to;
  }
  return { line, area };
}

/** The lowest and the highest value drawn, or null when nothing is. */
export function sparkRange(samples: readonly Sample[], now: number): [low: number, high: number] | null {
  const values = stretchesOf(samples, now).map(({ value }) => value);
  return values.length > 0 ? [Math.min(...values), Math.max(...values)] : null;
}
