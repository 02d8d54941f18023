import type { JobRow } from '@gjm/client/index.js';
import { isOver } from '../../lib/status.js';

/** Rows of the list, newest first: by time of creation, then id, as the server's pages are. */
export type Rows = readonly JobRow[];

/** One page as the server gave it. */
export interface Page {
  nodes: Rows;
  /** Whether more follow; then rows older than the page's last are not for this page to judge. */
  hasNextPage: boolean;
}

/** Negative when `a` stands above `b`. */
function compare(a: JobRow, b: JobRow): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1;
}

/** What is known of one job never goes back: a page may have been read before a change that arrived first. An end is final. */
function newer(known: JobRow | undefined, incoming: JobRow): JobRow {
  if (!known) return incoming;
  const isOld = known.lastSequence > incoming.lastSequence || (isOver(known) && !isOver(incoming));
  return isOld ? known : incoming;
}

function union(rows: Rows, incoming: Rows): JobRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of incoming) byId.set(row.id, newer(byId.get(row.id), row));
  return [...byId.values()].sort(compare);
}

/**
 * Merges the first page, read anew: rows that should be in it and are not have been deleted or have left the filter. Rows above its
 * first are kept, since they came live after it was read; rows below its last belong to later pages.
 */
export function mergeFirstPage(rows: Rows, page: Page): JobRow[] {
  const [first, last] = [page.nodes[0], page.nodes.at(-1)];
  const inPage = new Set(page.nodes.map(({ id }) => id));
  const isGone = (row: JobRow): boolean => {
    if (inPage.has(row.id)) return false;
    if (!first || !last) return true;
    return compare(row, first) > 0 && (!page.hasNextPage || compare(row, last) < 0);
  };
  return union(
    rows.filter((row) => !isGone(row)),
    page.nodes,
  );
}

/** Adds a later page. */
export const mergeNextPage = (rows: Rows, page: Page): JobRow[] => union(rows, page.nodes);

/**
 * Applies one live change. A job that does not pass the filter any more leaves; one that is older than everything loaded waits for its
 * page, or the list would have a hole above it.
 */
export function applyChange(
  rows: Rows,
  change: { job: JobRow | null; deletedId: string | null },
  list: { passes: (job: JobRow) => boolean; hasMore: boolean },
): JobRow[] {
  const { job, deletedId } = change;
  const kept = rows.filter(({ id }) => id !== deletedId);
  if (!job) return kept;
  if (!list.passes(job)) return kept.filter(({ id }) => id !== job.id);
  const last = kept.at(-1);
  const isBelow = list.hasMore && last !== undefined && compare(job, last) > 0;
  return isBelow ? kept : union(kept, [job]);
}
