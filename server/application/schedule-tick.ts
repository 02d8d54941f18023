import { deflateRawSync } from 'node:zlib';
import type { QueuedJob, Snapshot } from '@gjm/core/schedule/snapshot.js';
import type { Policy } from '@gjm/core/policy/policy.js';
import { schedule, type PlacedSlot, type Placement } from '@gjm/core/schedule/schedule.js';
import type { Database, TransactionalDatabase } from '../persistence/database.js';
import {
  placeAttempts,
  type NewAttempt,
  type PlacedAttempt,
} from '../persistence/transitions/place-attempts.js';
import {
  freeSlotsOf,
  fullLine,
  lockAndReadFleet,
  readLine,
} from '../persistence/transitions/read-snapshot.js';
import { newId } from './new-id.js';

/** What a tick did. `busy`: another tick was at it, so this one must come again. */
export interface TickOutcome {
  busy: boolean;
  /** With the slot whose queue brings it to its worker. */
  placed: (PlacedAttempt & PlacedSlot)[];
  /** Where the next full pass goes on when this one did not see the end of the line. */
  goOnAfter: QueuedJob | null;
}

/**
 * One tick: under a transaction's own lock, snapshot → decide → write all placements at once. There is no leader: whoever is woken ticks.
 * The hot tick reads the head of the line only; `full` reads much of it, from `after` on, so that a blocked head hides nobody for long.
 */
export function runTick(
  database: TransactionalDatabase,
  policy: Policy,
  full: boolean,
  after: QueuedJob | null = null,
): Promise<TickOutcome> {
  return database.transaction(async (transaction): Promise<TickOutcome> => {
    const fleet = await lockAndReadFleet(transaction);
    if (!fleet) return { busy: true, placed: [], goOnAfter: null };
    const free = freeSlotsOf(fleet.devices);
    const limit = full ? fullLine : Math.max(16, 4 * free);
    const jobs = free > 0 ? await readLine(transaction, limit, false, after) : [];
    const placed = await placeWaiting(transaction, policy, { ...fleet, jobs });
    return { busy: false, placed, goOnAfter: full && jobs.length === limit ? jobs.at(-1)! : null };
  });
}

async function placeWaiting(
  database: Database,
  policy: Policy,
  snapshot: Snapshot,
): Promise<TickOutcome['placed']> {
  const attempts = schedule(snapshot, policy).map((placement) => toNewAttempt(placement, policy));
  if (attempts.length === 0) return [];
  const placed = await placeAttempts(
    database,
    attempts,
    deflateRawSync(JSON.stringify(snapshot), { level: 1 }),
  );
  const byId = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  return placed.map((attempt) => {
    const [first] = byId.get(attempt.attemptId)!.slots;
    return { ...attempt, ...first! };
  });
}

function toNewAttempt(placement: Placement, policy: Policy): NewAttempt {
  const { jobId, workerId, slots, engine, tier, candidates, summary } = placement;
  return {
    attemptId: newId('attempt'),
    jobId,
    number: placement.attempt,
    workerId,
    slots,
    engine,
    tier,
    event: {
      id: newId('decision'),
      stage: 'scheduler',
      attempt: placement.attempt,
      summary,
      policyVersion: policy.version,
      data: { ...slots[0]!, slots, engine, tier, candidates },
    },
  };
}
