import type { Statement, TransactionalDatabase } from '../database.js';

const statement: Statement = {
  name: 'remove-unused-artifacts',
  text: `
WITH unused AS (
  DELETE FROM artifacts a WHERE a.id = ANY ($1) AND NOT EXISTS (
    SELECT FROM job_inputs i JOIN jobs d ON d.id = i.job_id WHERE i.file_id = a.id AND d.status IN ('QUEUED', 'RUNNING'))
  RETURNING storage_key
), queued AS (
  INSERT INTO blob_removals (storage_key) SELECT storage_key FROM unused ON CONFLICT DO NOTHING
)
SELECT count(*)::int AS count FROM unused`,
};

/**
 * Removes artifacts that no living job uses and says how many; their bytes are swept later. `choose` locks what it finds, in a statement
 * before: whether a job uses a file is then asked of what was committed meanwhile, and a submit that comes later waits and finds it gone.
 * It takes their jobs first, as a deletion does, and skips what others hold.
 */
export function removeUnusedArtifacts(
  database: TransactionalDatabase,
  choose: Statement,
  values: unknown[],
): Promise<number> {
  return database.transaction(async (transaction) => {
    const chosen = await transaction.run<{ id: string }>(choose, values);
    if (chosen.length === 0) return 0;
    const [row] = await transaction.run<{ count: number }>(statement, [chosen.map(({ id }) => id)]);
    return row?.count ?? 0;
  });
}
