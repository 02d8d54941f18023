import type { PlacedSlot } from '@gjm/core/schedule/schedule.js';
import type { NewEvent } from '@gjm/core/wire/events.js';
import type { Database, Statement } from '../database.js';

/**
 * All placements of a tick at once, with the compressed snapshot they were decided from. A job that moved on, or one of
 * whose slots was taken or closed since the snapshot, drops out alone: an attempt gets all its slots or none.
 */
const statement: Statement = {
  name: 'place-attempts',
  text: `
WITH tick AS (
  INSERT INTO ticks (snapshot) VALUES ($2) RETURNING id
), placement AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS p("attemptId" text, "jobId" text, number int, "workerId" text, slots jsonb, engine text, tier text, event jsonb)
), job AS MATERIALIZED (
  SELECT jobs.id FROM jobs JOIN placement ON jobs.id = placement."jobId"
  WHERE status = 'QUEUED' AND current_attempt_id IS NULL AND attempt_count = placement.number - 1
  ORDER BY jobs.id FOR UPDATE OF jobs
), wanted AS MATERIALIZED (
  SELECT placement."attemptId", place - 1 AS place, value ->> 'deviceId' AS device_id, (value ->> 'slotIndex')::smallint AS index
  FROM placement JOIN job ON job.id = placement."jobId", jsonb_array_elements(slots) WITH ORDINALITY AS s(value, place)
), free AS MATERIALIZED (
  SELECT slots.device_id, slots.index FROM slots JOIN wanted USING (device_id, index)
  WHERE slots.attempt_id IS NULL AND slots.held_for IS NULL AND slots.silent_since IS NULL
  ORDER BY 1, 2 FOR UPDATE OF slots
), whole AS MATERIALIZED (
  SELECT "attemptId" FROM wanted LEFT JOIN free USING (device_id, index) GROUP BY 1 HAVING bool_and(free.device_id IS NOT NULL)
), slot AS (
  UPDATE slots SET attempt_id = "attemptId"
  FROM wanted JOIN whole USING ("attemptId") WHERE slots.device_id = wanted.device_id AND slots.index = wanted.index
), placed AS MATERIALIZED (
  SELECT placement.* FROM placement JOIN whole USING ("attemptId")
), attempt AS (
  INSERT INTO attempts (id, job_id, number, worker_id, state, engine, tier, engine_audit)
  SELECT "attemptId", "jobId", number, "workerId", 'DISPATCHED', placed.engine, tier, d.engine_audit
  FROM placed JOIN devices d ON d.id = slots -> 0 ->> 'deviceId'
), device AS (
  INSERT INTO attempt_devices (attempt_id, device_id, slot_index, place)
  SELECT "attemptId", device_id, index, place FROM wanted JOIN whole USING ("attemptId")
), changed AS (
  UPDATE jobs SET current_attempt_id = placed."attemptId", attempt_count = placed.number, last_sequence = last_sequence + 1,
    not_before = NULL
  FROM placed WHERE jobs.id = placed."jobId"
  RETURNING jobs.id, jobs.last_sequence, jobs.owner_id, jobs.trace_id, placed."attemptId" AS attempt_id, placed.number, placed.event
), stored AS (
  INSERT INTO job_events (job_id, sequence, attempt, type, data) SELECT id, last_sequence, number, 'decision', event FROM changed
), decided AS (
  INSERT INTO decisions (id, job_id, attempt, stage, summary, policy_version, tick_id, data)
  SELECT event ->> 'id', changed.id, number, 'scheduler', event ->> 'summary', event ->> 'policyVersion', tick.id, event -> 'data' FROM changed, tick
)
SELECT id AS "jobId", attempt_id AS "attemptId", owner_id AS "ownerId", last_sequence AS "lastSequence", trace_id AS "traceId" FROM changed`,
};

export interface NewAttempt {
  attemptId: string;
  jobId: string;
  number: number;
  workerId: string;
  slots: PlacedSlot[];
  engine: string;
  tier: string | null;
  /** The scheduler's decision, as its event's data. */
  event: Extract<NewEvent, { type: 'decision' }>['data'];
}

export interface PlacedAttempt {
  jobId: string;
  attemptId: string;
  ownerId: string;
  lastSequence: number;
  traceId: string | null;
}

/** Stores the placements that still hold and returns them. `snapshot`: compressed, what a replay reads. */
export function placeAttempts(
  database: Database,
  attempts: NewAttempt[],
  snapshot: Buffer,
): Promise<PlacedAttempt[]> {
  return database.run<PlacedAttempt & Record<string, unknown>>(statement, [
    JSON.stringify(attempts),
    snapshot,
  ]);
}
