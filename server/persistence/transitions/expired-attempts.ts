import type { Deadline } from '@gjm/core/job/transition.js';
import type { Database, Statement } from '../database.js';

/**
 * Notes the pass and, when nobody was listening for longer than $4 ms, puts off what must not expire for that: in one statement, so that no
 * other server can see the pass and not yet the new deadlines. Deadlines become the later of themselves and a full length from now, at most
 * 3 times between beats; a worker whose lease was over already at the pass before stays offline.
 */
const passStatement: Statement = {
  name: 'expirer-pass',
  text: `
WITH last AS MATERIALIZED (
  SELECT expirer_passed_at AS at FROM installation FOR UPDATE
), silence AS MATERIALIZED (
  SELECT at FROM last WHERE at < clock_timestamp() - $4 * interval '1 ms'
), noted AS (
  UPDATE installation SET expirer_passed_at = clock_timestamp() FROM last
), worker AS (
  UPDATE workers SET lease_until = greatest(lease_until, clock_timestamp() + $1 * interval '1 ms')
  FROM silence WHERE lease_until > silence.at
), attempt AS (
  UPDATE attempts SET
    extensions = extensions + 1,
    lease_until = greatest(lease_until, clock_timestamp() + $1 * interval '1 ms'),
    cancel_until = greatest(cancel_until, clock_timestamp() + $2 * interval '1 ms'),
    run_until = greatest(run_until, clock_timestamp() + $2 * interval '1 ms'),
    enqueued_at = CASE WHEN enqueued_at IS NULL THEN NULL ELSE clock_timestamp() END
  FROM silence WHERE state <> 'ENDED' AND extensions < $3
)
SELECT EXISTS (SELECT FROM silence) AS "wasSilent" FROM last`,
};

/** Times that an attempt's deadlines are put off between two acknowledged beats at most. */
const mostExtensions = 3;

const expiredStatement: Statement = {
  name: 'expired-attempts',
  text: `
SELECT id AS "attemptId", CASE
    WHEN state = 'DISPATCHED' THEN 'dispatch'
    WHEN cancel_until < clock_timestamp() THEN 'cancel'
    WHEN lease_until < clock_timestamp() THEN 'lease'
    ELSE 'run' END AS deadline
FROM attempts
WHERE state <> 'ENDED' AND (
  (state = 'DISPATCHED' AND enqueued_at < clock_timestamp() - $1 * interval '1 ms') OR
  (state = 'RUNNING' AND least(cancel_until, lease_until, run_until) < clock_timestamp()))
ORDER BY id LIMIT 1000`,
};

export interface ExpiredAttempt {
  attemptId: string;
  deadline: Deadline;
}

/**
 * Notes this pass. True when no server had passed for `silentMs`: then every deadline was put off by a full length, `leaseMs` for leases,
 * `settleMs` for cancels and time-outs, and nothing may expire now.
 */
export async function passExpirer(
  database: Database,
  { leaseMs, settleMs, silentMs }: { leaseMs: number; settleMs: number; silentMs: number },
): Promise<boolean> {
  const values = [leaseMs, settleMs, mostExtensions, silentMs];
  const [row] = await database.run<{ wasSilent: boolean }>(passStatement, values);
  return row?.wasSilent ?? false;
}

/** Living attempts past a deadline. Each is judged again, under lock, by the transition that ends it. */
export function expiredAttempts(database: Database, dispatchMs: number): Promise<ExpiredAttempt[]> {
  return database.run<ExpiredAttempt & Record<string, unknown>>(expiredStatement, [dispatchMs]);
}
