import { createExpirer, type ExpiredAttempts } from './expire-attempts.js';
import type { JobChanger } from './change-job.js';
import { createOrphanSweeper } from './orphan-sweeper.js';
import { Periodic } from './periodic.js';
import type { Scheduling } from './scheduling.js';
import type { ServiceDependencies } from './services.js';
import { createByteSweeper, createRetention } from './sweeper.js';

export interface Background {
  expired: ExpiredAttempts;
  /** Removes the bytes of deleted rows now, or joins the run in progress. */
  sweepBytes(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

/** Everything that happens by the clock: expiry, the dispatch ledger, bytes without rows, orphans, retention. And what follows Redis' return. */
export function createBackground(
  dependencies: ServiceDependencies,
  { dispatcher, ticker }: Scheduling,
  changer: JobChanger,
): Background {
  const { database, pubsub, timing, logger } = dependencies;
  const expired: ExpiredAttempts = { dispatch: 0, lease: 0, cancel: 0, run: 0 };
  const bytes = new Periodic('sweep-bytes', 10_000, createByteSweeper(dependencies), logger);
  const sweepOrphans = createOrphanSweeper(dependencies);
  const tasks = [
    bytes,
    new Periodic('sweep-orphans', 600_000, async () => void (await sweepOrphans()), logger),
    new Periodic('retention', 600_000, createRetention(dependencies), logger),
    new Periodic(
      'expire',
      timing.tickMs,
      createExpirer({ database, changer, pubsub, timing, expired, logger }),
      logger,
    ),
    new Periodic('sweep-dispatch', 1_000, async () => (pubsub.isUp ? dispatcher.sweep() : undefined), logger),
  ];
  return {
    expired,
    sweepBytes: () => bytes.runNow(),
    start() {
      ticker.start();
      for (const task of tasks) task.start();
      pubsub.onUp(() => {
        dispatcher.resend().then(
          () => ticker.request(),
          (error: unknown) =>
            logger.error({ err: error }, 'dispatches were not sent again; the sweeper will'),
        );
      });
    },
    async close() {
      await Promise.all([ticker.close(), ...tasks.map((task) => task.close())]);
    },
  };
}
