import type { Database, Statement } from '../database.js';

/** Taken for one transaction only: a session lock would outlive a dead host, or vanish with a pooled connection. */
const tryLock: Statement = { name: 'try-tick-lock', text: `SELECT pg_try_advisory_xact_lock(hashtext('gjm.tick')) AS granted` };

const insertTick: Statement = { name: 'insert-tick', text: `INSERT INTO ticks (snapshot) VALUES ($1) RETURNING id` };

/** Whether this transaction may tick; false when another one is at it. */
export async function tryTickLock(database: Database): Promise<boolean> {
  const [row] = await database.run<{ granted: boolean }>(tryLock, []);
  return row?.granted ?? false;
}

/** Keeps the compressed snapshot that the placements of this tick were decided from. Returns its id. */
export async function storeTick(database: Database, snapshot: Buffer): Promise<string> {
  const [row] = await database.run<{ id: string }>(insertTick, [snapshot]);
  return row!.id;
}
