import type { Kind, PackageSet } from './define.js';

/** What a worker can run of a kind, as one word: the kind where it has no tiers (`model.train`), else with the tier (`image.upscale/slim`). */
export const runName = (kind: string, tier: string | null): string =>
  tier === null ? kind : `${kind}/${tier}`;

/** What a worker can run that does not say: all that the release knew which was the last not to say. */
export const runsBefore: readonly string[] = [
  'image.upscale/slim',
  'model.train',
  'model.predict',
  'diagnostic',
];

/**
 * The names of all that can be run where only some sets of optional packages are set up: each kind without tiers, and each tier of the
 * others, whose package `has` knows. In the order of `kinds` and of their tiers.
 */
export function runnableNames(kinds: readonly Kind[], has: (set: PackageSet) => boolean): string[] {
  const isThere = ({ needsPackage }: Pick<Kind, 'needsPackage'>) => !needsPackage || has(needsPackage);
  return kinds.filter(isThere).flatMap(({ name, tiers }) => {
    if (tiers.length === 0) return [runName(name, null)];
    return tiers.filter(isThere).map((tier) => runName(name, tier.name));
  });
}
