import type { Database, Statement, TransactionalDatabase } from '../database.js';

/**
 * Events, attempts, decisions and artifact rows go with the job by cascade; the keys of their bytes stay behind for the sweeper, in the
 * same statement. A job that is not terminal, or whose artifact a living job uses, is left alone.
 */
const statement: Statement = {
  name: 'delete-job',
  text: `
WITH job AS MATERIALIZED (
  SELECT id FROM jobs
  WHERE id = $1 AND status IN ('SUCCEEDED', 'FAILED', 'CANCELLED') AND NOT EXISTS (
    SELECT FROM artifacts a JOIN job_inputs i ON i.file_id = a.id JOIN jobs d ON d.id = i.job_id
    WHERE a.job_id = $1 AND d.status IN ('QUEUED', 'RUNNING'))
  FOR UPDATE
), bytes AS (
  INSERT INTO blob_removals (storage_key) SELECT storage_key FROM artifacts, job WHERE artifacts.job_id = job.id
  ON CONFLICT DO NOTHING
)
DELETE FROM jobs USING job WHERE jobs.id = job.id RETURNING jobs.id`,
};

/** Taken first, in a statement of its own: what is checked after a lock was waited for must see what was committed meanwhile. */
const lockStatement: Statement = { name: 'lock-job', text: `SELECT id FROM jobs WHERE id = $1 FOR UPDATE` };

const dependantsStatement: Statement = {
  name: 'job-dependants',
  text: `
SELECT count(*)::int AS count FROM artifacts a JOIN job_inputs i ON i.file_id = a.id JOIN jobs d ON d.id = i.job_id
WHERE a.job_id = $1 AND d.status IN ('QUEUED', 'RUNNING')`,
};

/** True when the job was terminal, unused and is now gone. */
export function deleteTerminalJob(database: TransactionalDatabase, jobId: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.run(lockStatement, [jobId]);
    return (await transaction.run(statement, [jobId])).length === 1;
  });
}

/** How many living jobs use an artifact of this one. */
export async function countDependants(database: Database, jobId: string): Promise<number> {
  const [row] = await database.run<{ count: number }>(dependantsStatement, [jobId]);
  return row?.count ?? 0;
}
