import { failureOf } from '@gjm/core/job/failure.js';
import { endTransition, type AttemptEnding, type Deadline } from '@gjm/core/job/transition.js';
import { settleSlackMs, silentMs, type Timing } from '@gjm/core/timing.js';
import type { Database } from '../persistence/database.js';
import { expiredAttempts, passExpirer } from '../persistence/transitions/expired-attempts.js';
import { readJobFactsByAttempt, type LivingAttempt } from '../persistence/transitions/read-job-facts.js';
import type { JobChanger, JobDecision } from './change-job.js';
import type { Logger, PubSub } from './ports.js';
import { voidDecision } from './void-decision.js';

interface ExpireDependencies {
  database: Database;
  changer: JobChanger;
  pubsub: Pick<PubSub, 'isUp'>;
  timing: Timing;
  /** Counts what expires here. */
  expired: ExpiredAttempts;
  logger: Logger;
}

/** Attempts that this server ended because a deadline had passed, by deadline; shown in the metrics. */
export type ExpiredAttempts = Record<Deadline, number>;

/**
 * Ends attempts whose deadline has passed by the database clock. If more than half a lease went by since the last pass of any server,
 * nobody was listening: deadlines are put off by a full length and nothing expires.
 */
export function createExpirer(dependencies: ExpireDependencies): () => Promise<void> {
  const { database, changer, pubsub, timing, expired, logger } = dependencies;

  const expire = async (attemptId: string, deadline: Deadline): Promise<void> => {
    let isJudged = false;
    const ended = await changer.change<LivingAttempt | null>(
      () => readJobFactsByAttempt(database, attemptId),
      (job): JobDecision<LivingAttempt | null> => {
        const { attempt } = job;
        // Judged once: if its deadline was put off meanwhile, by a beat, it has not expired.
        if (isJudged) return { answer: null };
        isJudged = true;
        if (!attempt || attempt.state !== (deadline === 'dispatch' ? 'DISPATCHED' : 'RUNNING'))
          return { answer: null };
        const ending = endingOf(deadline);
        const events = deadline === 'dispatch' ? [voidDecision(attempt.number, ending.reason)] : [];
        const apply = endTransition(job, ending, events, Math.random());
        return apply ? { apply, answer: attempt } : { answer: null };
      },
    );
    if (!ended) return;
    expired[deadline]++;
    logger.warn({ attemptId, deadline, workerId: ended.workerId }, 'an attempt expired');
  };

  return async () => {
    const { leaseMs, graceMs } = timing;
    const lengths = { leaseMs, settleMs: graceMs + settleSlackMs, silentMs: silentMs(leaseMs) };
    if (await passExpirer(database, lengths)) return;
    for (const { attemptId, deadline } of await expiredAttempts(database, timing.dispatchMs)) {
      // While Redis is away nobody can pick anything up: that time does not count.
      if (deadline === 'dispatch' && !pubsub.isUp) continue;
      await expire(attemptId, deadline).catch((error: unknown) =>
        logger.error({ err: error, attemptId }, 'an attempt could not be expired; the next pass tries again'),
      );
    }
  };
}

function endingOf(deadline: Deadline): AttemptEnding {
  const passed = deadline;
  switch (deadline) {
    case 'dispatch':
      return {
        outcome: 'VOID',
        failure: null,
        reason: 'Its worker did not pick it up in time.',
        slots: 'silence',
        passed,
      };
    case 'cancel': {
      const reason = 'The worker was lost while cancelling.';
      return { outcome: 'LOST', failure: failureOf('WORKER_LOST', reason), reason, slots: 'hold', passed };
    }
    case 'lease': {
      const failure = failureOf('WORKER_LOST', 'The worker was lost: it stopped sending heartbeats.');
      return { outcome: 'LOST', failure, reason: failure.message, slots: 'hold', passed };
    }
    case 'run': {
      const failure = failureOf(
        'TIMEOUT',
        'The attempt ran longer than it may, and its worker did not end it.',
      );
      return { outcome: 'FAILED', failure, reason: failure.message, slots: 'hold', passed };
    }
  }
}
