import type { Policy } from '@gjm/core/policy/policy.js';
import type { QueuedJob } from '@gjm/core/schedule/snapshot.js';
import type { TransactionalDatabase } from '../persistence/database.js';
import { createDispatcher, type Dispatcher } from './dispatch.js';
import type { PassPoint } from './fault.js';
import type { Logger, PubSub, SlotQueues } from './ports.js';
import { runTick } from './schedule-tick.js';
import { Ticker } from './ticker.js';
import { createWakeUps, type WakeUps } from './wake-ups.js';

interface SchedulingDependencies {
  database: TransactionalDatabase;
  queues: SlotQueues;
  pubsub: PubSub;
  policy: Policy;
  tickMs: number;
  pass: PassPoint;
  logger: Logger;
}

export interface Scheduling {
  wakeUps: WakeUps;
  dispatcher: Dispatcher;
  ticker: Ticker;
}

/** The scheduler with what it feeds: each tick's placements are told to watchers and dispatched after the commit. */
export function createScheduling(dependencies: SchedulingDependencies): Scheduling {
  const { database, queues, pubsub, policy, tickMs, pass, logger } = dependencies;
  const dispatcher = createDispatcher(database, queues, logger);
  let goOnAfter: QueuedJob | null = null;
  const ticker: Ticker = new Ticker({
    tickMs,
    logger,
    canPlace: () => pubsub.isUp,
    async tick(full) {
      const outcome = await runTick(database, policy, full, full ? goOnAfter : null);
      if (full && !outcome.busy) goOnAfter = outcome.goOnAfter;
      if (outcome.placed.length === 0) return outcome;
      await pass?.('after-place-commit');
      for (const { jobId, ownerId, lastSequence } of outcome.placed)
        wakeUps.jobWoken({ jobId, ownerId, lastSequence, from: 'QUEUED', to: 'QUEUED' });
      await dispatcher.dispatch(outcome.placed);
      return outcome;
    },
  });
  const wakeUps = createWakeUps(
    pubsub,
    () => ticker.request(),
    (attemptId) => void dispatcher.recall(attemptId),
  );
  return { wakeUps, dispatcher, ticker };
}
