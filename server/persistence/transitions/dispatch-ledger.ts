import type { SlotAddress } from '../../application/ports.js';
import type { Database, Statement } from '../database.js';

/** Attempts in DISPATCHED are the dispatch ledger: there is no outbox. `enqueued_at` is null until their message is saved. */
export interface Dispatch {
  attemptId: string;
  jobId: string;
  deviceId: string;
  slotIndex: number;
  /** Of the request that submitted the job; null for jobs from before there were any. */
  traceId: string | null;
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
SELECT a.id AS "attemptId", a.job_id AS "jobId", d.device_id AS "deviceId", d.slot_index AS "slotIndex", j.trace_id AS "traceId"
FROM attempts a JOIN attempt_devices d ON d.attempt_id = a.id AND d.place = 0 JOIN jobs j ON j.id = a.job_id
WHERE a.state = 'DISPATCHED' AND coalesce(a.enqueued_at, a.placed_at) < clock_timestamp() - $1 * interval '1 ms'
ORDER BY a.id LIMIT 1000`,
};

const silentStatement: Statement = {
  name: 'silent-slots',
  text: `
SELECT s.device_id AS "deviceId", s.index, s.probe_id AS "probeId"
FROM slots s JOIN devices d ON d.id = s.device_id JOIN workers w ON w.id = d.worker_id
WHERE s.silent_since IS NOT NULL AND s.probe_id IS NOT NULL AND w.lease_until > clock_timestamp()
ORDER BY 1, 2 LIMIT 1000`,
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

/** Slots of online workers that wait for a probe to come back: a probe, too, may be lost with Redis. */
export function silentSlots(database: Database): Promise<(SlotAddress & { probeId: string })[]> {
  return database.run<SlotAddress & { probeId: string } & Record<string, unknown>>(silentStatement, []);
}
