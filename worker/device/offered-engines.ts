import type { FoundDevice } from './probe.js';

/** What must be known of a slot. */
export interface EngineSlot {
  /** Of its ready child; null while there is none. */
  readonly engine: string | null;
  readonly isUnusable: boolean;
  retire(reason: string): void;
}

/**
 * Which engine each device offers: the one that its children passed their self-test with, for as long as nothing else is said. A device has one
 * engine, so its slots agree on the best that any of them has: a child with a lesser one is replaced, or not taken.
 */
export class OfferedEngines {
  readonly #byUid = new Map<string, string>();

  /** Null while no child of the device has passed, or when none can. */
  of(uid: string): string | null {
    return this.#byUid.get(uid) ?? null;
  }

  /** Why a new child with this engine is not wanted beside the device's other slots, as a part of a sentence; or null. */
  refusalOf({ engines }: FoundDevice, engine: string, others: readonly EngineSlot[]): string | null {
    const better = others.find((other) => other.engine !== null && isBetter(other.engine, engine, engines));
    return better ? `it computes with ${engine} where another slot of the device has ${better.engine}` : null;
  }

  /** A child of `slot` was ready, or could not be. */
  hear({ uid, engines }: FoundDevice, slot: EngineSlot, others: readonly EngineSlot[]): void {
    const { engine } = slot;
    if (engine === null) {
      if (slot.isUnusable && others.every((other) => other.engine === null)) this.#byUid.delete(uid);
      return;
    }
    this.#byUid.set(uid, engine);
    for (const other of others)
      if (other.engine !== null && isBetter(engine, other.engine, engines))
        other.retire(`another slot of its device computes with ${engine}`);
  }
}

/** `engines`: all that the device may have, best first, separated by commas. */
function isBetter(one: string, other: string, engines: string): boolean {
  const order = engines.split(',');
  return order.indexOf(one) < order.indexOf(other);
}
