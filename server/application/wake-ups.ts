import type { JobTransition } from '@gjm/core/job/transition.js';
import type { JobWakeUp } from '@gjm/core/wire/events.js';
import type { PubSub } from './ports.js';

export interface WakeUps {
  /** Tells watchers about a committed transition, its worker about a cancel request, and the scheduler when something may be placed. */
  jobChanged(transition: JobTransition, lastSequence: number, workerId: string | null): void;
  /** Tells watchers about events that came with something else than a transition: a submit, a placement, a deletion. */
  jobWoken(wakeUp: JobWakeUp): void;
  devicesChanged(deviceIds: string[]): void;
  /** Something may be placed now. */
  placeable(): void;
}

/**
 * Sends wake-ups, always after the commit. `requestTick` runs a tick here; no other replica is asked, for whoever is woken
 * ticks. `recall` takes back the message of an attempt that became void. */
export function createWakeUps(
  pubsub: PubSub,
  requestTick: () => void,
  recall: (attemptId: string) => void,
): WakeUps {
  const jobWoken = (wakeUp: JobWakeUp): void => {
    pubsub.publish('job', wakeUp.jobId, wakeUp);
    pubsub.publish('jobs', '', wakeUp);
  };
  return {
    jobWoken,
    placeable: requestTick,
    devicesChanged: (deviceIds) => {
      if (deviceIds.length > 0) pubsub.publish('devices', '', { deviceIds });
    },
    jobChanged(transition, lastSequence, workerId) {
      const { jobId, ownerId, expect, to } = transition;
      if (transition.events.length > 0) jobWoken({ jobId, ownerId, lastSequence, from: expect.status, to });
      if (transition.requestCancel && to === 'RUNNING' && workerId) pubsub.publish('poke', '', { workerId });
      const { attemptId } = expect;
      if (attemptId && transition.attempt?.end?.outcome === 'VOID') recall(attemptId);
      if (transition.slots === 'free' || to === 'QUEUED') requestTick();
    },
  };
}
