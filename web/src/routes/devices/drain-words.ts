import { clockOf, momentOf } from '@gjm/core/text/times.js';
import type { Device } from '../../lib/fleet.js';

type Drain = NonNullable<Device['drain']>;

/** Up to so far ahead a time of day says which day, in ms. */
const sameDayMs = 12 * 3_600_000;

/** When a drain ends, in one sentence. */
export function endOfDrain({ until }: Pick<Drain, 'until'>, now: number): string {
  if (until === null) return 'It ends when an ADMIN undrains it.';
  return `It ends at ${Date.parse(until) - now > sameDayMs ? momentOf(until) : clockOf(until)}.`;
}
