import type { TransactionalDatabase } from '../persistence/database.js';
import {
  forgetRemovals,
  listRemovals,
  noteRemovalTries,
  pruneEvents,
  pruneScraps,
  pruneTicks,
  pruneUploads,
} from '../persistence/transitions/sweep.js';
import type { ArtifactStore, Logger } from './ports.js';

interface SweepDependencies {
  database: TransactionalDatabase;
  store: ArtifactStore;
  eventDays: number;
  scrapDays: number;
  logger: Logger;
}

/** Removes bytes whose rows are gone, trying again until the store has done it. Rows always go first. */
export function createByteSweeper({ database, store, logger }: SweepDependencies): () => Promise<void> {
  return async () => {
    const keys = await listRemovals(database);
    const done: string[] = [];
    for (const key of keys)
      await store.remove(key).then(
        () => done.push(key),
        (error: unknown) =>
          logger.warn({ err: error, key }, 'bytes could not be removed; the sweeper tries again'),
      );
    if (done.length > 0) await forgetRemovals(database, done);
    if (done.length < keys.length)
      await noteRemovalTries(
        database,
        keys.filter((key) => !done.includes(key)),
      );
  };
}

/** How long one kind of thing may be pruned in one go, in ms: the next round goes on. */
const pruneForMs = 30_000;

/**
 * Ends what is kept for a while only: events and scraps of ended jobs, unused uploads, old snapshots. In bounded portions, until nothing is
 * left or the time is up; one that fails does not keep the others.
 */
export function createRetention({
  database,
  eventDays,
  scrapDays,
  logger,
}: SweepDependencies): () => Promise<void> {
  const prunes: Record<string, () => Promise<number>> = {
    uploads: () => pruneUploads(database),
    scraps: () => pruneScraps(database, scrapDays),
    events: () => pruneEvents(database, eventDays),
    ticks: () => pruneTicks(database),
  };
  return async () => {
    for (const [what, prune] of Object.entries(prunes)) {
      const until = performance.now() + pruneForMs;
      try {
        while ((await prune()) > 0 && performance.now() < until);
      } catch (error) {
        logger.error({ err: error, what }, 'retention failed; it comes again');
      }
    }
  };
}
