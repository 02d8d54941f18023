import type { HeartbeatAnswer, HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import type { Database, Statement } from '../database.js';

/** Renews the worker's lease and those of the attempts it proves to hold, and the time of those that wait for their runner; opens slots that were swept or that answered a probe. */
const beatStatement: Statement = {
  name: 'worker-heartbeat',
  text: `
WITH worker AS (
  UPDATE workers SET last_seen_at = clock_timestamp(), draining = $4, lease_until = clock_timestamp() + $3 * interval '1 ms'
  WHERE id = $1 AND boot_id = $2
  RETURNING id
), listed AS (
  SELECT * FROM jsonb_to_recordset($5::jsonb) AS l("attemptId" text, "tokenHash" text)
), renewed AS (
  UPDATE attempts SET lease_until = clock_timestamp() + $3 * interval '1 ms', extensions = 0
  FROM listed, worker
  WHERE attempts.id = listed."attemptId" AND attempts.token_hash = listed."tokenHash" AND attempts.state = 'RUNNING'
    AND attempts.worker_id = worker.id
  RETURNING attempts.id, attempts.job_id
), waiting AS (
  UPDATE attempts SET enqueued_at = clock_timestamp() FROM worker
  WHERE attempts.id = ANY ($8) AND attempts.worker_id = worker.id AND attempts.state = 'DISPATCHED' AND attempts.enqueued_at IS NOT NULL
), device AS (
  UPDATE devices SET memory_free_bytes = r."memoryFreeBytes", health = r.health, health_reason = r."healthReason",
    telemetry = nullif(r.telemetry, 'null')
  FROM worker, jsonb_to_recordset($6::jsonb) AS r(uid text, "memoryFreeBytes" bigint, health text, "healthReason" text, telemetry jsonb)
  WHERE devices.worker_id = worker.id AND devices.uid = r.uid
    AND ((devices.health, devices.health_reason, devices.telemetry) IS DISTINCT FROM (r.health, r."healthReason", nullif(r.telemetry, 'null'))
      OR abs(coalesce(devices.memory_free_bytes, 0) - coalesce(r."memoryFreeBytes", 0)) > 64 * 1024 * 1024)
  RETURNING devices.id
), opened AS (
  UPDATE slots SET
    held_for = CASE WHEN slots.held_for = ANY (SELECT "attemptId" FROM listed) THEN slots.held_for END,
    silent_since = CASE WHEN slots.probe_id = ANY ($7) THEN NULL ELSE slots.silent_since END,
    probe_id = CASE WHEN slots.probe_id = ANY ($7) THEN NULL ELSE slots.probe_id END
  FROM worker, devices
  WHERE devices.worker_id = worker.id AND slots.device_id = devices.id
    AND ((slots.held_for IS NOT NULL AND slots.held_for <> ALL (SELECT "attemptId" FROM listed)) OR slots.probe_id = ANY ($7))
  RETURNING slots.device_id
)
SELECT (SELECT count(*) FROM worker)::int AS known, EXISTS (SELECT FROM workers WHERE id = $1) AS exists,
  coalesce((SELECT array_agg("attemptId") FROM listed WHERE "attemptId" NOT IN (SELECT id FROM renewed)), '{}') AS lost,
  coalesce((SELECT array_agg(renewed.id) FROM renewed JOIN jobs ON jobs.id = renewed.job_id
    WHERE jobs.cancel_requested_at IS NOT NULL), '{}') AS cancel,
  (SELECT count(*) FROM opened)::int AS opened,
  (SELECT array_agg(id) FROM device) AS changed`,
};

export interface BeatOutcome extends HeartbeatAnswer {
  /** Slots that may be offered again. */
  opened: number;
  /** Devices whose health changed. */
  changed: string[];
}

/** Records a beat; or says that there is no such worker, or that another process has taken its place. */
export async function recordHeartbeat(
  database: Database,
  beat: HeartbeatRequest,
  leaseMs: number,
): Promise<BeatOutcome | 'unknown' | 'replaced'> {
  const [row] = await database.run<{
    known: number;
    exists: boolean;
    lost: string[];
    cancel: string[];
    opened: number;
    changed: string[] | null;
  }>(beatStatement, [
    beat.workerId,
    beat.bootId,
    leaseMs,
    beat.draining,
    JSON.stringify(beat.attempts),
    JSON.stringify(beat.devices),
    beat.probes,
    beat.waiting,
  ]);
  if (!row?.known) return row?.exists ? 'replaced' : 'unknown';
  return { lost: row.lost, cancel: row.cancel, opened: row.opened, changed: row.changed ?? [] };
}

const unclaimedStatement: Statement = {
  name: 'unclaimed-of-worker',
  text: `SELECT id FROM attempts WHERE worker_id = $1 AND state = 'DISPATCHED' ORDER BY id`,
};

/** Attempts on their way to a worker, which one that stops will not take. */
export async function unclaimedAttempts(database: Database, workerId: string): Promise<string[]> {
  return (await database.run<{ id: string }>(unclaimedStatement, [workerId])).map((row) => row.id);
}
