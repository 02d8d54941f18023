import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { queueMessageSchema, type QueueMessage } from '@gjm/core/wire/queue-message.js';
import type { GpuUse } from '../device/gpu-use.js';
import { isFault, type LinkError } from '../link/link-error.js';
import { untilAnswered } from '../link/retry.js';
import type { Logger } from '../logger.js';
import type { RunningClock } from '../running-clock.js';
import type { ServerLink } from '../server-link.js';
import type { LivingAttempts } from './living-attempts.js';
import { AttemptRun, type Granted } from './run-attempt.js';
import type { Place } from './place-program.js';
import type { Slot, WarmChild } from './slot.js';

/** How long a message may wait for its slot's child, in ms: as long as one may take to start. Then the server places the job elsewhere. */
const slotWaitMs = 90_000;
/** One last word about a claim that was never answered, in ms. */
const lastWordMs = 2_000;

export interface MessageContext {
  workerId: () => string;
  link: ServerLink;
  clock: RunningClock;
  attempts: LivingAttempts;
  /** Attempts that wait for the child of their slot; beats name them. */
  waiting: Set<string>;
  /** What watches the GPUs among these devices for an attempt; null where none are watched. */
  useDevices: (uids: readonly string[]) => GpuUse | null;
  /** The place of an attempt that needs one of its own, or null: then it runs on the slot's warm child. */
  placeFor: (slot: Slot, warm: WarmChild, claim: Granted) => Place | null;
  scratch: string;
  hear: () => Promise<void>;
  /** When the server last had something to say, on the process' own monotonic clock. */
  pokedAtMs: () => number;
  addProbe: (probeId: string) => void;
  /** Aborted when the worker begins to stop: nothing is claimed any more. */
  stopping: AbortSignal;
  onForbidden: (error: LinkError) => void;
  /** A fault made on purpose between pop and claim; does nothing in normal life. */
  afterPop: () => Promise<void>;
  log: Logger;
}

/**
 * Acts on one popped message and resolves as soon as it needs no more queue: for an attempt when its claim is answered, while the attempt
 * itself runs on. Whoever pops an attempt twice is refused by the claim.
 */
export async function takeMessage(context: MessageContext, slot: Slot, data: unknown): Promise<void> {
  const parsed = queueMessageSchema.safeParse(data);
  if (!parsed.success)
    return context.log.warn({ slot: slot.index }, 'a queue message that is none was dropped');
  const message = parsed.data;
  if (message.type === 'probe') return context.addProbe(message.probeId);
  await context.afterPop();
  const log = context.log.child({
    attemptId: message.attemptId,
    jobId: message.jobId,
    traceId: message.traceId,
  });
  context.waiting.add(message.attemptId);
  const warm = await slot.acquire(slotWaitMs);
  context.waiting.delete(message.attemptId);
  if (!warm) return log.warn('no runner was ready for this attempt; it is left to the server');
  const token = randomBytes(32).toString('hex');
  const claimBeganAt = performance.now();
  const claim = context.stopping.aborted ? null : await claimAttempt(context, message.attemptId, token, log);
  if (!claim) return slot.release(warm, null);
  void runAttempt(context, slot, warm, message, token, claim, log);
  // The poke may have been for this attempt, whose beat could not name it yet: between the claim's commit and its answer it is RUNNING.
  if (context.pokedAtMs() >= claimBeganAt) void context.hear().catch(() => undefined);
}

/** The claim's answer when it was granted. The same key is shown until there is one: a lost answer costs nothing. */
async function claimAttempt(
  context: MessageContext,
  attemptId: string,
  claimKey: string,
  log: Logger,
): Promise<Granted | null> {
  const { link, stopping } = context;
  const workerId = context.workerId();
  try {
    const answer = await untilAnswered(() => link.claim({ workerId, attemptId, claimKey }, stopping), {
      signal: stopping,
    });
    if (answer.granted) return answer;
    log.debug({ reason: answer.reason }, 'claim refused');
  } catch (error) {
    if (stopping.aborted) await giveBack(context, attemptId, claimKey);
    else log.error({ err: error }, 'the claim failed');
    if (isFault(error, 'forbidden') && error.status !== 409) context.onForbidden(error);
  }
  return null;
}

/** The claim may have been recorded although its answer never came: then the attempt is released, so that nobody waits for its lease. */
async function giveBack({ link, workerId }: MessageContext, attemptId: string, token: string): Promise<void> {
  const none = { items: [], engine: null, failure: null, artifacts: [], usage: null, containment: null };
  await link
    .finish(
      {
        ...{ workerId: workerId(), attemptId, token, ...none },
        outcome: 'RELEASED',
        reason: 'The worker was stopped.',
        deviceClean: true,
      },
      AbortSignal.timeout(lastWordMs),
    )
    .catch(() => undefined);
}

async function runAttempt(
  context: MessageContext,
  slot: Slot,
  warm: WarmChild,
  message: Extract<QueueMessage, { type: 'attempt' }>,
  token: string,
  claim: Granted,
  log: Logger,
): Promise<void> {
  const { link, clock, hear, onForbidden, attempts, scratch } = context;
  const use = context.useDevices(claim.devices.length > 0 ? claim.devices : [slot.uid]);
  const place = context.placeFor(slot, warm, claim);
  const run = new AttemptRun({
    key: { attemptId: message.attemptId, token },
    workerId: context.workerId(),
    // A name of ours: what came over the queue never becomes a path.
    folder: join(scratch, randomBytes(8).toString('hex')),
    traceparent: traceparentOf(message.traceId),
    ...{ claim, warm: place?.warm ?? warm, use, link, clock, hear, onForbidden, log },
  });
  attempts.add(run);
  const end = await run.run();
  await place?.leave();
  if (place) slot.release(warm, null);
  else slot.release(warm, end.fault, end.isGroupGone);
  attempts.remove(run);
}

/** This attempt as a span of the job's trace (W3C Trace Context, version 00, sampled). */
const traceparentOf = (traceId: string | null): string | null =>
  traceId === null ? null : `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
