import { trainLimits } from '@gjm/core/workload/model-train.js';
import { isMissing, numberOf } from '../model/preprocessing.js';

/** What a pass over a column shows. */
export interface ColumnProfile {
  name: string;
  /** Every value that is there is a number. */
  isNumeric: boolean;
  /** How often each text occurs, of the first `mostCounted` different ones that are not too long to be a category. */
  counts: Map<string, number>;
  mostCounted: number;
  /** There are texts beside those counted. */
  hasMore: boolean;
  missing: number;
}

/** Different texts that are counted in a whole file: of a column, many more than could become inputs, unless there are very many columns. */
const mostCountedInFile = 200_000;
const mostCounted = 20_000;
/** Longer texts are prose, not categories: they are not kept. */
const mostCharacters = 256;

export const newProfile = (name: string, columns: number): ColumnProfile => ({
  name,
  isNumeric: true,
  counts: new Map(),
  mostCounted: Math.max(1, Math.min(mostCounted, Math.floor(mostCountedInFile / columns))),
  hasMore: false,
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
  const isCounted =
    count !== undefined || (profile.counts.size < profile.mostCounted && value.length <= mostCharacters);
  if (isCounted) profile.counts.set(value, (count ?? 0) + 1);
  else profile.hasMore = true;
}

/** The values that get an input of their own: the most frequent ones, in the order of the alphabet. */
export function categoriesOf({ counts, hasMore }: ColumnProfile): { values: string[]; hasOther: boolean } {
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value);
  return {
    values: byCount.slice(0, trainLimits.categories).sort(),
    hasOther: hasMore || byCount.length > trainLimits.categories,
  };
}
