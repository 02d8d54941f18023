/** What a warm child has done and holds, as its runner reported after the last attempt. */
export interface ChildUse {
  jobs: number;
  firstRssBytes: number;
  rssBytes: number;
  /** Tensors that the last attempt left behind. */
  tensors: number;
}

/** Of a child that has done nothing yet. */
export const newUse = (rssBytes: number): ChildUse => ({
  jobs: 0,
  firstRssBytes: rssBytes,
  rssBytes,
  tensors: 0,
});

const mebibyte = 1024 * 1024;
const grownBytes = 512 * mebibyte;
/** After so many jobs a child is old: replaced in the next quiet moment, since a start costs about a second of CPU. */
const oldAfterJobs = 200;
/** After so many it is replaced also under full load. */
const tooOldAfterJobs = 1_000;

/** Why the child must go before it gets another attempt, or null. */
export function mustReplace(use: ChildUse): string | null {
  if (use.tensors > 0) return `the last attempt left ${use.tensors} tensors`;
  const grown = use.rssBytes - use.firstRssBytes;
  if (grown > grownBytes) return `it holds ${Math.round(grown / mebibyte)} MiB more than when it was new`;
  return use.jobs >= tooOldAfterJobs ? `it has done ${use.jobs} jobs` : null;
}

/** Whether the child should go when nobody needs it. */
export const wantsReplacement = (use: ChildUse): boolean => use.jobs >= oldAfterJobs;
