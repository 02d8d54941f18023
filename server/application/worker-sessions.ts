import { failureOf } from '@gjm/core/job/failure.js';
import type { AttemptState } from '@gjm/core/job/status.js';
import { endTransition, type AttemptEnding } from '@gjm/core/job/transition.js';
import type { Timing } from '@gjm/core/timing.js';
import type {
  HeartbeatAnswer,
  HeartbeatRequest,
  HelloAnswer,
  HelloRequest,
} from '@gjm/core/wire/worker-api.js';
import type { Database } from '../persistence/database.js';
import { readJobFactsByAttempt } from '../persistence/transitions/read-job-facts.js';
import { recordHeartbeat, unclaimedAttempts } from '../persistence/transitions/worker-heartbeat.js';
import { leftoverAttempts, storeDevices, storeWorker } from '../persistence/transitions/worker-hello.js';
import type { JobChanger, JobDecision } from './change-job.js';
import { newId } from './new-id.js';
import type { SlotQueues } from './ports.js';
import { voidDecision } from './void-decision.js';
import type { WakeUps } from './wake-ups.js';

export interface WorkerSessions {
  /** A worker process starts: its row, devices and slots are made current, and attempts of its earlier life are lost. */
  hello(request: HelloRequest): Promise<HelloAnswer>;
  /** Renews leases. `unknown`: say hello again. `replaced`: another process has taken this one's place, which must end. */
  heartbeat(request: HeartbeatRequest): Promise<HeartbeatAnswer | 'unknown' | 'replaced'>;
}

interface SessionDependencies {
  database: Database;
  changer: JobChanger;
  queues: SlotQueues;
  wakeUps: WakeUps;
  timing: Timing;
  redis: HelloAnswer['redis'];
}

const restarted = failureOf('WORKER_LOST', 'The worker was restarted.');
const leftover: AttemptEnding = {
  outcome: 'LOST',
  failure: restarted,
  reason: restarted.message,
  slots: 'free',
};
const unclaimed: AttemptEnding = {
  outcome: 'VOID',
  failure: null,
  reason: 'Its worker is stopping.',
  slots: 'free',
};

/** What workers tell about themselves, and what they are told. */
export function createWorkerSessions(dependencies: SessionDependencies): WorkerSessions {
  const { database, changer, queues, wakeUps, timing, redis } = dependencies;

  const end = (attemptId: string, state: AttemptState, ending: AttemptEnding): Promise<null> =>
    changer.change<null>(
      () => readJobFactsByAttempt(database, attemptId),
      (job): JobDecision<null> => {
        const { attempt } = job;
        if (attempt?.state !== state) return { answer: null };
        const events = ending.outcome === 'VOID' ? [voidDecision(attempt.number, ending.reason)] : [];
        const apply = endTransition(job, ending, events, Math.random());
        return apply ? { apply, answer: null } : { answer: null };
      },
    );

  return {
    async hello(request) {
      const { workerId, isNewBoot } = await storeWorker(database, newId('worker'), request, timing.leaseMs);
      if (isNewBoot)
        for (const attemptId of await leftoverAttempts(database, workerId))
          await end(attemptId, 'RUNNING', leftover);
      const devices = request.devices.map((device) => ({ ...device, id: newId('device') }));
      const slots = await storeDevices(database, workerId, devices, isNewBoot);
      wakeUps.devicesChanged([...new Set(slots.map((slot) => slot.deviceId))]);
      wakeUps.placeable();
      const { heartbeatMs, leaseMs, graceMs, orphanMs } = timing;
      return {
        workerId,
        slots: slots.map(({ uid, index, deviceId }) => ({
          uid,
          index,
          queueName: queues.nameOf({ deviceId, index }),
        })),
        redis,
        heartbeatMs,
        leaseMs,
        graceMs,
        orphanMs,
      };
    },

    async heartbeat(request) {
      const outcome = await recordHeartbeat(database, request, timing.leaseMs);
      if (typeof outcome === 'string') return outcome;
      if (request.draining)
        for (const attemptId of await unclaimedAttempts(database, request.workerId))
          await end(attemptId, 'DISPATCHED', unclaimed);
      wakeUps.devicesChanged(outcome.changed);
      if (outcome.opened > 0) wakeUps.placeable();
      return { cancel: outcome.cancel, lost: outcome.lost };
    },
  };
}
