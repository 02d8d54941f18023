import { loadavg } from 'node:os';

/** One measured thing: the runs, and the best of them. */
export interface Figure {
  name: string;
  unit: string;
  /** What it is held against, in words. */
  bar: string;
  /** Null where there is only a ratio to show. */
  met: boolean | null;
  best: number;
  runs: number[];
  /** Other numbers of the same runs, such as processor time per unit. */
  beside: Record<string, number>;
  /** The machine's load average of the last minute, when the last run was over. */
  load: number;
  at: Date;
}

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
};

const round = (value: number): number => Math.round(value * 100) / 100;

/** A figure from its runs; `better` says which end is the best one. */
export function figureOf(
  fields: Pick<Figure, 'name' | 'unit' | 'bar'>,
  runs: readonly number[],
  better: 'low' | 'high',
  met: ((best: number) => boolean) | null,
  beside: Record<string, number> = {},
): Figure {
  const best = better === 'low' ? Math.min(...runs) : Math.max(...runs);
  const rounded = Object.fromEntries(Object.entries(beside).map(([key, value]) => [key, round(value)]));
  return {
    ...fields,
    met: met && met(best),
    best: round(best),
    runs: runs.map(round),
    beside: rounded,
    load: round(loadavg()[0] ?? 0),
    at: new Date(),
  };
}

/** A table for people; the JSON beside it has everything. */
export function printTable(figures: readonly Figure[]): void {
  for (const { name, best, unit, bar, met, beside, runs } of figures) {
    const verdict = met === null ? '' : met ? '  met' : '  MISSED';
    const extra = Object.entries(beside)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ');
    console.log(`${name.padEnd(58)} ${String(best).padStart(9)} ${unit.padEnd(7)} bar: ${bar}${verdict}`);
    console.log(`${''.padEnd(58)} runs ${runs.join(' ')}${extra ? `; ${extra}` : ''}`);
  }
}
