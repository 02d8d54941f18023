import type { RunnerChild } from '../child/spawn.js';
import type { ProgramHost } from '../containment/program-host.js';
import type { ProgramRoom } from '../containment/program-room.js';
import type { Logger } from '../logger.js';
import { within } from '../wait.js';
import type { Granted } from './run-attempt.js';
import { newUse } from './replacement.js';
import type { Slot, WarmChild } from './slot.js';

/** The children that hold the devices may take this long to be gone, in ms; after it the program is not begun. */
const goneMs = 20_000;

export interface ProgramPlaces {
  host: ProgramHost;
  /** All slots of a device. */
  slotsOf: (uid: string) => Slot[];
  /** Variables that pin a program to these devices. */
  pinOf: (uids: readonly string[]) => Record<string, string>;
  /** Starts a runner for one program on the slot's device, pinned to all of its devices. */
  makeChild: (slot: Slot, room: ProgramRoom, pin: Record<string, string>) => RunnerChild;
  log: Logger;
}

/** Where an attempt runs. */
export interface Place {
  warm: WarmChild;
  /** Ends what was made for it. Resolves when nothing of that lives and its files are out of reach; they may be many, so they are removed later. */
  leave(): Promise<void>;
}

/**
 * Puts a fresh runner, kept apart, into the place of the warm children of all devices that the attempt holds: they end first, since they hold
 * memory of the devices.
 */
export function placeProgram(places: ProgramPlaces, slot: Slot, warm: WarmChild, claim: Granted): Place {
  const uids = claim.devices.length > 0 ? claim.devices : [slot.uid];
  const others = uids.filter((uid) => uid !== slot.uid).flatMap(places.slotsOf);
  const made = makeFresh(places, slot, claim, uids);
  if (typeof made === 'string') {
    const fresh = { ready: Promise.resolve(made), containment: 'The program was not begun.' };
    return { warm: { ...warm, engine: claim.engine, fresh }, leave: () => Promise.resolve() };
  }
  const { room, child } = made;
  const gone = Promise.all([slot.hold(warm), ...others.map((other) => other.hold(null))]);
  slot.lend(child);
  return {
    warm: {
      child,
      engine: claim.engine,
      use: newUse(0),
      fresh: { ready: whenReady(child, gone), containment: room.containment },
    },
    async leave() {
      await slot.endLoan();
      await room.remove().catch((error: unknown) => {
        places.log.warn({ err: error }, 'what a program left could not be taken out of reach');
      });
      for (const held of [slot, ...others]) held.unhold();
    },
  };
}

/** A sentence when there can be no such child here. */
function makeFresh(
  places: ProgramPlaces,
  slot: Slot,
  { jobId, attemptNumber }: Granted,
  uids: readonly string[],
): { room: ProgramRoom; child: RunnerChild } | string {
  try {
    const pin = places.pinOf(uids);
    const name = `${slot.uid} ${slot.index}`;
    const room = places.host.makeRoom({ slot: name, jobId, attempt: attemptNumber, pin });
    return { room, child: places.makeChild(slot, room, pin) };
  } catch (error) {
    places.log.error({ err: error }, 'a program could not be given its place');
    return 'This worker could not make the place that the program was to run in.';
  }
}

async function whenReady(child: RunnerChild, gone: Promise<unknown>): Promise<string | null> {
  const [started, isGone] = await Promise.all([
    child.started,
    within(
      gone.then(() => true),
      goneMs,
      false,
    ),
  ]);
  if (!isGone) return 'The device was still held by another process of this worker.';
  if (started.type === 'ready') return null;
  return `The runner of the program did not start: ${started.type === 'failed' ? started.reason : 'unusable'}.`;
}
