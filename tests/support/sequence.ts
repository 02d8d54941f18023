import type { JobEvent } from '@gjm/client/node.js';

const terminal = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

/** What must hold for the whole event sequence of an ended job; one sentence for each thing that does not. */
export function faultsOfSequence(events: readonly JobEvent[]): string[] {
  const faults = events.flatMap((event, index) =>
    event.sequence === index + 1 ? [] : [`number ${event.sequence} stands at place ${index + 1}`],
  );
  const ends = events.filter(
    (event) => event.__typename === 'JobStatusEvent' && terminal.includes(event.status),
  );
  if (ends.length !== 1) faults.push(`${ends.length} terminal events`);
  if (ends[0] !== events.at(-1)) faults.push('the terminal event is not the last');
  return faults;
}
