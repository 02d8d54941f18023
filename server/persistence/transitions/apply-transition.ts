import { isTerminal } from '@gjm/core/job/status.js';
import type { JobTransition } from '@gjm/core/job/transition.js';
import { silentMs, type Timing } from '@gjm/core/timing.js';
import type { Database, Statement } from '../database.js';

/**
 * The one statement that changes a job's state. It locks the jobs row, then the attempt under its own guard, then writes the job once; all
 * else hangs on that write, so a partial match changes nothing. The numbers of its events come from the same UPDATE: commit order is
 * number order. Every state change, report included, goes through it in one round trip.
 */
const statement: Statement = {
  name: 'apply-transition',
  text: `
WITH job AS MATERIALIZED (
  SELECT id FROM jobs
  WHERE id = $1 AND status = $2 AND current_attempt_id IS NOT DISTINCT FROM $3 AND (cancel_requested_at IS NOT NULL) = $4
  FOR UPDATE
), attempt AS (
  UPDATE attempts SET
    state = CASE WHEN $8::text IS NOT NULL THEN 'RUNNING' WHEN $11::text IS NOT NULL THEN 'ENDED' ELSE state END,
    token_hash = coalesce($8, token_hash),
    started_at = CASE WHEN $8 IS NULL THEN started_at ELSE clock_timestamp() END,
    lease_until = CASE WHEN $8 IS NULL THEN lease_until ELSE clock_timestamp() + $9 * interval '1 ms' END,
    run_until = CASE WHEN $8 IS NULL THEN run_until ELSE clock_timestamp() + $10 * interval '1 ms' END,
    cancel_until = CASE WHEN $13::float8 IS NULL THEN cancel_until ELSE clock_timestamp() + $13 * interval '1 ms' END,
    outcome = $11,
    failure = $12,
    usage = $32,
    containment = $33,
    finished_at = CASE WHEN $11 IS NULL THEN NULL ELSE clock_timestamp() END,
    reported_number = coalesce($15, reported_number)
  FROM job
  WHERE attempts.id = $3 AND attempts.state = $5
    AND ($6::text IS NULL OR attempts.token_hash = $6)
    AND ($14::int IS NULL OR attempts.reported_number = $14)
    AND ($7::text IS NULL OR (SELECT expirer_passed_at FROM installation) > clock_timestamp() - $31 * interval '1 ms')
    AND CASE $7::text
      WHEN 'lease' THEN attempts.lease_until < clock_timestamp()
      WHEN 'dispatch' THEN attempts.enqueued_at < clock_timestamp() - $16 * interval '1 ms'
      WHEN 'cancel' THEN attempts.cancel_until < clock_timestamp()
      WHEN 'run' THEN attempts.run_until < clock_timestamp()
      ELSE true END
  RETURNING attempts.id, attempts.engine, attempts.tier
), changed AS (
  UPDATE jobs SET
    status = $17,
    status_reason = CASE WHEN $17 = jobs.status THEN status_reason ELSE $18 END,
    failure = $19,
    last_sequence = last_sequence + $20,
    started_at = CASE WHEN $17 = 'RUNNING' THEN coalesce(started_at, clock_timestamp()) ELSE started_at END,
    finished_at = CASE WHEN $21 THEN clock_timestamp() ELSE NULL END,
    current_attempt_id = CASE WHEN $11 IS NULL THEN current_attempt_id ELSE NULL END,
    cancel_requested_at = CASE WHEN $22 THEN clock_timestamp() ELSE cancel_requested_at END,
    counted_failures = counted_failures + $23,
    not_before = CASE WHEN $24::float8 IS NULL THEN not_before ELSE clock_timestamp() + $24 * interval '1 ms' END,
    engine = coalesce((SELECT engine FROM attempt), jobs.engine),
    tier = coalesce((SELECT tier FROM attempt), jobs.tier),
    progress = coalesce($25, progress),
    log_bytes = log_bytes + $26,
    log_cut = log_cut OR $27
  FROM job
  WHERE jobs.id = job.id AND ($3 IS NULL OR EXISTS (SELECT FROM attempt))
  RETURNING jobs.id, jobs.last_sequence
), slot AS (
  UPDATE slots SET
    attempt_id = NULL,
    held_for = CASE $28 WHEN 'hold' THEN $3 ELSE held_for END,
    held_since = CASE $28 WHEN 'hold' THEN clock_timestamp() ELSE held_since END,
    silent_since = CASE $28 WHEN 'silence' THEN clock_timestamp() ELSE silent_since END,
    probe_id = CASE $28 WHEN 'silence' THEN $3 ELSE probe_id END
  FROM changed
  WHERE slots.attempt_id = $3 AND $28::text <> 'keep'
), result AS (
  UPDATE artifacts SET accepted = true FROM changed WHERE artifacts.id = ANY ($29) AND artifacts.attempt_id = $3
), event AS (
  SELECT changed.id AS job_id, changed.last_sequence - $20 + ordinality AS sequence, (value ->> 'attempt')::int AS attempt,
    value ->> 'type' AS type, value -> 'data' AS data
  FROM changed, jsonb_array_elements($30::jsonb) WITH ORDINALITY
), stored AS (
  INSERT INTO job_events (job_id, sequence, attempt, type, data) SELECT job_id, sequence, attempt, type, data FROM event
), decided AS (
  INSERT INTO decisions (id, job_id, attempt, stage, summary, policy_version, data)
  SELECT data ->> 'id', job_id, attempt, data ->> 'stage', data ->> 'summary', data ->> 'policyVersion', data -> 'data'
  FROM event WHERE type = 'decision'
)
SELECT last_sequence FROM changed`,
};

/**
 * Applies one transition. Returns the job's last number after it, or null when the job, its attempt or a deadline was not as expected and
 * nothing changed. A deadline counts as passed only while servers listen: one that stood still itself since its pass must not judge by it.
 */
export async function applyTransition(
  database: Database,
  transition: JobTransition,
  { dispatchMs, leaseMs }: Pick<Timing, 'dispatchMs' | 'leaseMs'>,
): Promise<number | null> {
  const { attempt, expect } = transition;
  const [row] = await database.run<{ last_sequence: number }>(statement, [
    transition.jobId,
    expect.status,
    expect.attemptId,
    expect.cancelRequested,
    attempt?.expectState ?? null,
    attempt?.tokenHash ?? null,
    attempt?.passed ?? null,
    attempt?.claim?.tokenHash ?? null,
    attempt?.claim?.leaseMs ?? null,
    attempt?.claim?.runMs ?? null,
    attempt?.end?.outcome ?? null,
    attempt?.end?.failure ? JSON.stringify(attempt.end.failure) : null,
    attempt?.cancelWithinMs ?? null,
    attempt?.report?.after ?? null,
    attempt?.report?.last ?? null,
    dispatchMs,
    transition.to,
    transition.reason,
    transition.failure ? JSON.stringify(transition.failure) : null,
    transition.events.length,
    isTerminal(transition.to),
    transition.requestCancel ?? false,
    transition.countFailure ? 1 : 0,
    transition.backoffMs ?? null,
    transition.progress ? JSON.stringify(transition.progress) : null,
    transition.log?.addedBytes ?? 0,
    transition.log?.cut ?? false,
    transition.slots,
    transition.acceptArtifacts ?? [],
    JSON.stringify(transition.events),
    silentMs(leaseMs),
    attempt?.end?.taken?.usage ? JSON.stringify(attempt.end.taken.usage) : null,
    attempt?.end?.taken?.containment ?? null,
  ]);
  return row?.last_sequence ?? null;
}
