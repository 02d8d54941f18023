import { trainLimits } from '@gjm/core/workload/model-train.js';
import { isMissing, numberOf } from '../model/preprocessing.js';

/** What a pass over a column shows. */
export interface ColumnProfile {
  name: string;
  /** Every value that is there is a number. */
  isNumeric: boolean;
  /** How often each text occurs; counting ends far beyond what could become inputs. */
  counts: Map<string, number>;
  missing: number;
}

/** Different texts that are counted per column at most. */
const mostCounted = 20_000;

export const newProfile = (name: string): ColumnProfile => ({
  name,
  isNumeric: true,
  counts: new Map(),
  missing: 0,
});

export function addToProfile(profile: ColumnProfile, text: string): void {
  if (isMissing(text)) {
    profile.missing++;
    return;
  }
  if (profile.isNumeric && numberOf(text) === null) profile.isNumeric = false;
  const value = text.trim();
  const count = profile.counts.get(value);
  if (count !== undefined || profile.counts.size < mostCounted) profile.counts.set(value, (count ?? 0) + 1);
}

/** The values that get an input of their own: the most frequent ones, in the order of the alphabet. */
export function categoriesOf({ counts }: ColumnProfile): { values: string[]; hasOther: boolean } {
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value);
  return {
    values: byCount.slice(0, trainLimits.categories).sort(),
    hasOther: byCount.length > trainLimits.categories,
  };
}
