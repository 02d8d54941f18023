import type { Database, Statement } from '../database.js';

/** Attempts in DISPATCHED are the dispatch ledger: there is no outbox. `enqueued_at` is null until their message is saved. */
export interface Dispatch {
  attemptId: string;
  jobId: string;
  deviceId: string;
  slotIndex: number;
}

/** The time to claim runs from the first save; a message that is sent again does not prolong it. */
const markStatement: Statement = {
  name: 'mark-enqueued',
  text: `
UPDATE attempts SET enqueued_at = clock_timestamp() WHERE id = ANY ($1) AND state = 'DISPATCHED' AND enqueued_at IS NULL`,
};

const unclaimedStatement: Statement = {
  name: 'unclaimed-dispatches',
  text: `
SELECT a.id AS "attemptId", a.job_id AS "jobId", d.device_id AS "deviceId", d.slot_index AS "slotIndex"
FROM attempts a JOIN attempt_devices d ON d.attempt_id = a.id
WHERE a.state = 'DISPATCHED' AND coalesce(a.enqueued_at, a.placed_at) < clock_timestamp() - $1 * interval '1 ms'
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

/** Dispatched attempts that nobody has claimed for `olderThanMs`, whether or not their message was saved. */
export function unclaimedDispatches(database: Database, olderThanMs: number): Promise<Dispatch[]> {
  return database.run<Dispatch & Record<string, unknown>>(unclaimedStatement, [olderThanMs]);
}

/** Redis was away and may have lost every message: the time to claim stands still until each is saved again. */
export async function forgetEnqueued(database: Database): Promise<void> {
  await database.run(forgetStatement, []);
}
