import type { Database } from '../persistence/database.js';
import { readOrphans } from '../persistence/transitions/find-orphans.js';
import type { ArtifactStore, Logger } from './ports.js';

interface OrphanDependencies {
  database: Database;
  store: ArtifactStore;
  logger: Logger;
}

/** Keys that one statement is asked about, and keys that one run looks at: the next run goes on where it ended. */
const portion = 500;
const keysPerRun = 10_000;
/** Whatever was written to later than this many ms ago may be on its way to its row. */
const youngMs = 86_400_000;

/** The keys that this program makes; whatever else lies in the store is somebody's and stays. */
const ourForm = /^(uploads\/[^/]+\/[^/]+|jobs\/[^/]+\/[^/]+\/[^/]+)$/;
const isPart = (key: string): boolean => key.endsWith('.part');

/**
 * Removes bytes that no row names: what a server left that died between storing bytes and committing their row, or in the middle of a
 * write. Walks the whole store bit by bit, over and over. A run gives how many it removed.
 */
export function createOrphanSweeper(
  { database, store, logger }: OrphanDependencies,
  now: () => number = Date.now,
): () => Promise<number> {
  let walk: AsyncIterator<{ key: string; writtenAt: Date }> | null = null;

  /** The next keys that are old enough and ours; `isDone` at the end of the store. */
  async function readPortion(): Promise<{ keys: string[]; seen: number; isDone: boolean }> {
    walk ??= store.list()[Symbol.asyncIterator]();
    const keys: string[] = [];
    for (let seen = 0; seen < portion; seen++) {
      const next = await walk.next();
      if (next.done) return { keys, seen, isDone: true };
      const { key, writtenAt } = next.value;
      if (ourForm.test(key) && now() - writtenAt.getTime() > youngMs) keys.push(key);
    }
    return { keys, seen: portion, isDone: false };
  }

  /** How many were removed. One that stays does not keep the others: the walk comes by again. */
  async function remove(key: string): Promise<number> {
    try {
      await store.remove(key);
      logger.info({ key }, 'bytes that no row names were removed');
      return 1;
    } catch (error) {
      logger.warn({ err: error, key }, 'bytes that no row names could not be removed');
      return 0;
    }
  }

  async function sweep(): Promise<number> {
    let removed = 0;
    for (let looked = 0; looked < keysPerRun;) {
      const { keys, seen, isDone } = await readPortion();
      looked += seen;
      const whole = keys.filter((key) => !isPart(key));
      const orphans = [
        ...keys.filter(isPart),
        ...(whole.length > 0 ? await readOrphans(database, whole) : []),
      ];
      for (const key of orphans) removed += await remove(key);
      if (isDone) {
        walk = null;
        return removed;
      }
    }
    return removed;
  }

  return async () => {
    try {
      return await sweep();
    } catch (error) {
      walk = null; // the store or the database was away: from the start, next time
      throw error;
    }
  };
}
