import type { Database, Statement, TransactionalDatabase } from '../database.js';
import { removeUnusedArtifacts } from './remove-unused-artifacts.js';

/** Rows one pass takes at most: a sweep never holds a long transaction. */
const portion = 1_000;

const list: Statement = {
  name: 'list-removals',
  text: `
SELECT storage_key FROM blob_removals
WHERE queued_at < clock_timestamp() - least(tries, 60) * interval '10 s' ORDER BY queued_at LIMIT ${portion}`,
};
const forget: Statement = {
  name: 'forget-removals',
  text: `DELETE FROM blob_removals WHERE storage_key = ANY ($1)`,
};
const tried: Statement = {
  name: 'note-removal-tries',
  text: `UPDATE blob_removals SET tries = tries + 1 WHERE storage_key = ANY ($1)`,
};

/** Unused for 24 h and named by no living job. */
const uploads: Statement = {
  name: 'prune-uploads',
  text: `
WITH unused AS (
  DELETE FROM uploads WHERE id IN (
    SELECT id FROM uploads u WHERE last_used_at < clock_timestamp() - interval '24 h' AND NOT EXISTS (
      SELECT FROM job_inputs i JOIN jobs j ON j.id = i.job_id WHERE i.file_id = u.id AND j.status IN ('QUEUED', 'RUNNING'))
    ORDER BY last_used_at LIMIT ${portion} FOR UPDATE SKIP LOCKED)
  RETURNING storage_key
), queued AS (
  INSERT INTO blob_removals (storage_key) SELECT storage_key FROM unused WHERE storage_key IS NOT NULL ON CONFLICT DO NOTHING
)
SELECT count(*)::int AS count FROM unused`,
};

/** Old scraps that no living job uses. */
const scraps: Statement = {
  name: 'choose-scraps',
  text: `
SELECT a.id FROM artifacts a JOIN jobs j ON j.id = a.job_id
WHERE (a.role <> 'RESULT' OR NOT a.accepted) AND j.finished_at < clock_timestamp() - $1 * interval '1 day' AND NOT EXISTS (
  SELECT FROM job_inputs i JOIN jobs d ON d.id = i.job_id WHERE i.file_id = a.id AND d.status IN ('QUEUED', 'RUNNING'))
LIMIT ${portion} FOR KEY SHARE OF j SKIP LOCKED FOR UPDATE OF a SKIP LOCKED`,
};

/** All of a few jobs at a time; a job that was done is marked, so that nobody looks at its events again. */
const events: Statement = {
  name: 'prune-events',
  text: `
WITH old AS MATERIALIZED (
  SELECT id FROM jobs WHERE finished_at < clock_timestamp() - $1 * interval '1 day' AND NOT events_pruned
  ORDER BY finished_at LIMIT 20 FOR UPDATE SKIP LOCKED
), removed AS (
  DELETE FROM job_events e USING old WHERE e.job_id = old.id AND e.type IN ('log', 'progress', 'metric')
), marked AS (
  UPDATE jobs SET events_pruned = true FROM old WHERE jobs.id = old.id
)
SELECT count(*)::int AS count FROM old`,
};

const ticks: Statement = {
  name: 'prune-ticks',
  text: `
WITH old AS (
  DELETE FROM ticks WHERE id IN (
    SELECT id FROM ticks WHERE at < clock_timestamp() - interval '7 days' OR id <= (SELECT max(id) - 10000 FROM ticks)
    ORDER BY id LIMIT ${portion})
  RETURNING id
)
SELECT count(*)::int AS count FROM old`,
};

/** Keys whose bytes are to be removed; one that failed comes back 10 s later per try, after at most 10 min. */
export async function listRemovals(database: Database): Promise<string[]> {
  return (await database.run<{ storage_key: string }>(list, [])).map((row) => row.storage_key);
}
export const forgetRemovals = async (database: Database, keys: string[]): Promise<void> =>
  void (await database.run(forget, [keys]));
export const noteRemovalTries = async (database: Database, keys: string[]): Promise<void> =>
  void (await database.run(tried, [keys]));
const prune = async (database: Database, statement: Statement, values: unknown[]): Promise<number> =>
  (await database.run<{ count: number }>(statement, values))[0]?.count ?? 0;

/** Each removes one portion and says how many it took: 0 when there is nothing more to do. */
export const pruneUploads = (database: Database): Promise<number> => prune(database, uploads, []);
/** CHECKPOINT and LOG artifacts, and results that were not accepted, `days` after their job ended. */
export const pruneScraps = (database: TransactionalDatabase, days: number): Promise<number> =>
  removeUnusedArtifacts(database, scraps, [days]);
/** Log, progress and metric events, `days` after their job ended. Their numbers are skipped from then on. */
export const pruneEvents = (database: Database, days: number): Promise<number> =>
  prune(database, events, [days]);
/** Snapshots older than 7 days, and all but the last 10,000. */
export const pruneTicks = (database: Database): Promise<number> => prune(database, ticks, []);
