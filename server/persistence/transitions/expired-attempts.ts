import type { Deadline } from '@gjm/core/job/transition.js';
import type { Database, Statement } from '../database.js';

const passStatement: Statement = {
  name: 'expirer-pass',
  text: `
WITH last AS (SELECT expirer_passed_at FROM installation FOR UPDATE)
UPDATE installation SET expirer_passed_at = clock_timestamp() FROM last
RETURNING (extract(epoch FROM clock_timestamp() - last.expirer_passed_at) * 1000)::float8 AS "sinceMs"`,
};

/** Nobody was listening: deadlines become the later of themselves and a full length from now, at most 3 times between beats. */
const extendStatement: Statement = {
  name: 'extend-deadlines',
  text: `
WITH worker AS (
  UPDATE workers SET lease_until = greatest(lease_until, clock_timestamp() + $1 * interval '1 ms')
  WHERE lease_until > clock_timestamp() - $3 * interval '1 ms'
)
UPDATE attempts SET
  extensions = extensions + 1,
  lease_until = greatest(lease_until, clock_timestamp() + $1 * interval '1 ms'),
  cancel_until = greatest(cancel_until, clock_timestamp() + $2 * interval '1 ms'),
  run_until = greatest(run_until, clock_timestamp() + $2 * interval '1 ms'),
  enqueued_at = CASE WHEN enqueued_at IS NULL THEN NULL ELSE clock_timestamp() END
WHERE state <> 'ENDED' AND extensions < 3`,
};

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

/** Notes this pass; returns the ms since the one before (by any server), or null on the very first. */
export async function noteExpirerPass(database: Database): Promise<number | null> {
  const [row] = await database.run<{ sinceMs: number | null }>(passStatement, []);
  return row?.sinceMs ?? null;
}

/**
 * Puts every deadline off by a full length: `leaseMs` for leases, `settleMs` for cancels and time-outs. A worker whose
 * lease was over already when somebody last looked, `sinceMs` ago, stays offline. */
export async function extendDeadlines(
  database: Database,
  leaseMs: number,
  settleMs: number,
  sinceMs: number,
): Promise<void> {
  await database.run(extendStatement, [leaseMs, settleMs, sinceMs]);
}

/** Living attempts past a deadline. Each is judged again, under lock, by the transition that ends it. */
export function expiredAttempts(database: Database, dispatchMs: number): Promise<ExpiredAttempt[]> {
  return database.run<ExpiredAttempt & Record<string, unknown>>(expiredStatement, [dispatchMs]);
}
