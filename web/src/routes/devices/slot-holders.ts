import type { Device, Holder } from '../../lib/fleet.js';

type Slot = Device['slots'][number];

/** A slot that somebody has. */
export type TakenSlot = Slot & { holderName: string };

const isTaken = (slot: Slot): slot is TakenSlot => slot.holderName !== null;

/** The taken slots that none of the jobs one may see stands for: each job stands for one slot of its owner. */
export function otherHolders(slots: readonly Slot[], jobs: readonly Holder[]): TakenSlot[] {
  const rest = slots.filter(isTaken);
  for (const { owner } of jobs) {
    const at = rest.findIndex(({ holderName }) => holderName === owner.name);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}
