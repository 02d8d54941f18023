import { createSignal, type Accessor } from 'solid-js';
import type { Rows } from './job-rows.js';

/** Rows that came while somebody reads: they wait behind a pill, so that nothing moves under the eye. */
export interface HeldRows {
  held: Accessor<ReadonlySet<string>>;
  /** Called with the rows before and after each merge. */
  note: (before: Rows, after: Rows) => void;
  /** Shows what waits. */
  release: () => void;
}

const idsOf = (rows: Rows): Set<string> => new Set(rows.map(({ id }) => id));

/** Which of the rows now wait: those that waited and are still there, and those that came; none while nothing was seen before. */
export function heldAfter(held: ReadonlySet<string>, before: Rows, after: Rows): ReadonlySet<string> {
  const known = idsOf(before);
  if (before.every(({ id }) => held.has(id))) return new Set();
  return new Set(after.filter(({ id }) => held.has(id) || !known.has(id)).map(({ id }) => id));
}

export function createHeldRows(): HeldRows {
  const [held, setHeld] = createSignal<ReadonlySet<string>>(new Set());
  return {
    held,
    note: (before, after) => void setHeld((ids) => heldAfter(ids, before, after)),
    release: () => void setHeld(new Set<string>()),
  };
}
