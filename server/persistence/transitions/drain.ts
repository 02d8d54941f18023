import type { Database, Statement } from '../database.js';

const deviceStatement: Statement = {
  name: 'drain-device',
  text: `
UPDATE devices SET drained_at = CASE WHEN $2 THEN clock_timestamp() END, drain_reason = $4,
  drained_until = clock_timestamp() + $3 * interval '1 second'
WHERE id = $1 RETURNING id`,
};

const workerStatement: Statement = {
  name: 'drain-worker',
  text: `
WITH worker AS (
  UPDATE workers SET drained_at = CASE WHEN $2 THEN clock_timestamp() END, drain_reason = $4,
    drained_until = clock_timestamp() + $3 * interval '1 second'
  WHERE id = $1 RETURNING id
)
SELECT devices.id FROM worker LEFT JOIN devices ON devices.worker_id = worker.id AND devices.present ORDER BY 1`,
};

export interface Drain {
  /** False: it takes jobs again. */
  isDrained: boolean;
  /** Until it takes jobs again by itself; null: until somebody says so. */
  seconds: number | null;
  reason: string | null;
}

/** Drains one device, or all present and coming devices of a worker, or ends that. The devices it concerns; null when there is no such id. */
export async function storeDrain(
  database: Database,
  noun: 'device' | 'worker',
  id: string,
  { isDrained, seconds, reason }: Drain,
): Promise<string[] | null> {
  const statement = noun === 'device' ? deviceStatement : workerStatement;
  const rows = await database.run<{ id: string | null }>(statement, [id, isDrained, seconds, reason]);
  return rows.length === 0 ? null : rows.flatMap((row) => row.id ?? []);
}
