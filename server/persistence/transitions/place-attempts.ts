import type { NewEvent } from '@gjm/core/wire/events.js';
import type { Database, Statement } from '../database.js';

/** All placements of a tick at once, with the compressed snapshot they were decided from. A job that moved on, or a slot that was taken or closed since the snapshot, drops out alone. */
const statement: Statement = {
  name: 'place-attempts',
  text: `
WITH tick AS (
  INSERT INTO ticks (snapshot) VALUES ($2) RETURNING id
), placement AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS p("attemptId" text, "jobId" text, number int, "workerId" text, "deviceId" text,
    "slotIndex" smallint, engine text, tier text, event jsonb)
), job AS MATERIALIZED (
  SELECT jobs.id FROM jobs JOIN placement ON jobs.id = placement."jobId"
  WHERE status = 'QUEUED' AND current_attempt_id IS NULL AND attempt_count = placement.number - 1
  ORDER BY jobs.id FOR UPDATE OF jobs
), slot AS (
  UPDATE slots SET attempt_id = placement."attemptId"
  FROM placement JOIN job ON job.id = placement."jobId"
  WHERE slots.device_id = placement."deviceId" AND slots.index = placement."slotIndex"
    AND slots.attempt_id IS NULL AND slots.held_for IS NULL AND slots.silent_since IS NULL
  RETURNING slots.attempt_id
), placed AS MATERIALIZED (
  SELECT placement.* FROM placement JOIN slot ON slot.attempt_id = placement."attemptId"
), attempt AS (
  INSERT INTO attempts (id, job_id, number, worker_id, state, engine, tier)
  SELECT "attemptId", "jobId", number, "workerId", 'DISPATCHED', engine, tier FROM placed
), device AS (
  INSERT INTO attempt_devices (attempt_id, device_id, slot_index) SELECT "attemptId", "deviceId", "slotIndex" FROM placed
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
  deviceId: string;
  slotIndex: number;
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
