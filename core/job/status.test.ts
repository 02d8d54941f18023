import { expect, test } from '@jest/globals';
import { isTerminal, jobStatuses, nextStatuses, type JobStatus } from './status.js';

test('every status can be reached from QUEUED, and every one that is not terminal can reach an end', () => {
  const reach = (from: JobStatus): Set<JobStatus> => {
    const seen = new Set<JobStatus>();
    const walk = (status: JobStatus): void => {
      for (const next of nextStatuses[status])
        if (!seen.has(next)) {
          seen.add(next);
          walk(next);
        }
    };
    walk(from);
    return seen;
  };
  expect([...reach('QUEUED'), 'QUEUED'].sort()).toEqual(expect.arrayContaining([...jobStatuses].sort()));
  for (const status of jobStatuses)
    expect(isTerminal(status) || [...reach(status)].some(isTerminal)).toBe(true);
});

test('nothing follows a terminal status', () => {
  for (const status of ['SUCCEEDED', 'FAILED', 'CANCELLED'] as const)
    expect(nextStatuses[status]).toEqual([]);
});
