import type { Database } from '../persistence/database.js';
import {
  forgetEnqueued,
  markEnqueued,
  unclaimedDispatches,
  type Dispatch,
} from '../persistence/transitions/dispatch-ledger.js';
import type { Logger, SlotQueues } from './ports.js';

export interface Dispatcher {
  /** Sends the messages of freshly placed attempts and notes those that Redis took. Never throws: what fails is swept. */
  dispatch(attempts: Dispatch[]): Promise<void>;
  /** Sends again what was never acknowledged, or is still unclaimed after a second: a message may be lost, the row is not. */
  sweep(): Promise<void>;
  /** Redis is back, perhaps empty: everything dispatched goes out again, and its time to be claimed starts anew. */
  resend(): Promise<void>;
}

/** Age from which an unclaimed dispatch is sent again, in ms. */
const sweepAfterMs = 1_000;

/** Enqueues after the commit. The dispatch ledger is the attempts in DISPATCHED; there is no other. */
export function createDispatcher(database: Database, queues: SlotQueues, logger: Logger): Dispatcher {
  const send = async ({ attemptId, jobId, deviceId, slotIndex }: Dispatch): Promise<string[]> => {
    try {
      const message = { type: 'attempt' as const, attemptId, jobId, traceId: attemptId };
      await queues.enqueue({ deviceId, index: slotIndex }, attemptId, message);
      return [attemptId];
    } catch (error) {
      logger.debug({ err: error, attemptId }, 'a dispatch was not enqueued; it will be swept');
      return [];
    }
  };
  const dispatch = async (attempts: Dispatch[]): Promise<void> => {
    const sent = (await Promise.all(attempts.map(send))).flat();
    if (sent.length > 0) await markEnqueued(database, sent);
  };
  return {
    dispatch,
    sweep: async () => dispatch(await unclaimedDispatches(database, sweepAfterMs)),
    async resend() {
      await forgetEnqueued(database);
      await dispatch(await unclaimedDispatches(database, 0));
    },
  };
}
