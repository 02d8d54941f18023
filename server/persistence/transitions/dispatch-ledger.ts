import type { Database, Statement } from '../database.js';

/** Attempts in DISPATCHED are the dispatch ledger: there is no outbox. `enqueued_at` is null until their message is saved. */
export interface Dispatch {
  attemptId: string;
  jobId: string;
  deviceId: string;
  slotIndex: number;
}

const markStatement: Statement = {
  name: 'mark-enqueued',
  text: `UPDATE attempts SET enqueued_at = clock_timestamp() WHERE id = ANY ($1) AND state = 'DISPATCHED'`,
};

const unsentStatement: Statement = {
  name: 'unsent-dispatches',
  text: `
SELECT a.id AS "attemptId", a.job_id AS "jobId", d.device_id AS "deviceId", d.slot_index AS "slotIndex"
FROM attempts a JOIN attempt_devices d ON d.attempt_id = a.id
WHERE a.state = 'DISPATCHED' AND a.enqueued_at IS NULL AND a.placed_at < clock_timestamp() - $1 * interval '1 ms'
ORDER BY a.id LIMIT 1000`,
};

const forgetStatement: Statement = {
  name: 'forget-enqueued',
  text: `UPDATE attempts SET enqueued_at = NULL WHERE state = 'DISPATCHED'`,
};

/** Their messages were saved: from now on the time to claim them runs. */
export async function markEnqueued(database: Database, attemptIds: string[]): Promise<void> {
  await database.run(markStatement, [attemptIds]);
}

/** Dispatched attempts whose message was never acknowledged, placed at least `olderThanMs` ago. */
export function unsentDispatches(database: Database, olderThanMs: number): Promise<Dispatch[]> {
  return database.run<Dispatch & Record<string, unknown>>(unsentStatement, [olderThanMs]);
}

/** Redis was away and may have lost every message: all are to be sent again, and their time to be claimed stands still meanwhile. */
export async function forgetEnqueued(database: Database): Promise<void> {
  await database.run(forgetStatement, []);
}
