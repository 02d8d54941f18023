import type { Database } from '../persistence/database.js';
import {
  forgetEnqueued,
  markEnqueued,
  silentSlots,
  unclaimedDispatches,
  type Dispatch,
} from '../persistence/transitions/dispatch-ledger.js';
import { slotOfAttempt } from '../persistence/transitions/slot-of-attempt.js';
import type { Logger, SlotQueues } from './ports.js';

export interface Dispatcher {
  /** Sends the messages of freshly placed attempts and notes those that Redis took. Never throws: what fails is swept. */
  dispatch(attempts: Dispatch[]): Promise<void>;
  /** Sends again what was never acknowledged, or is still unclaimed after a second: a message may be lost, the row is not. */
  sweep(): Promise<void>;
  /** Redis is back, perhaps empty: everything dispatched goes out again, and its time to be claimed starts anew. */
  resend(): Promise<void>;
  /** Takes the message of an attempt back that will not be claimed any more. Never throws: a message is only a hint. */
  recall(attemptId: string): Promise<void>;
}

/** Age from which an unclaimed dispatch is sent again, in ms. */
const sweepAfterMs = 1_000;

/** Enqueues after the commit. The dispatch ledger is the attempts in DISPATCHED; there is no other. */
export function createDispatcher(database: Database, queues: SlotQueues, logger: Logger): Dispatcher {
  const send = async ({ attemptId, jobId, deviceId, slotIndex, traceId }: Dispatch): Promise<string[]> => {
    try {
      const message = { type: 'attempt' as const, attemptId, jobId, traceId };
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
  /** A silent slot opens when a probe comes back, so one is always on its way. */
  const probe = async (): Promise<void> => {
    for (const { probeId, ...slot } of await silentSlots(database))
      await queues.enqueue(slot, `probe-${probeId}`, { type: 'probe', probeId }).catch(() => undefined); // swept again
  };
  const sweep = async (olderThanMs: number): Promise<void> => {
    await dispatch(await unclaimedDispatches(database, olderThanMs));
    await probe();
  };
  return {
    dispatch,
    sweep: () => sweep(sweepAfterMs),
    async resend() {
      await forgetEnqueued(database);
      await sweep(0);
    },
    async recall(attemptId) {
      try {
        const slot = await slotOfAttempt(database, attemptId);
        if (slot) await queues.remove(slot, attemptId);
      } catch (error) {
        logger.debug({ err: error, attemptId }, 'a message was not taken back; its claim will be refused');
      }
    },
  };
}
