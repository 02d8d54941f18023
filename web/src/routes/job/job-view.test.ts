import { expect, test } from '@jest/globals';
import type { JobDetails, JobEvent } from '@gjm/client/index.js';
import { applyEvent, takeSnapshot } from './job-view.js';

const snapshot = (rest: Partial<JobDetails> = {}): JobDetails =>
  ({
    id: 'job_1',
    status: 'QUEUED',
    statusReason: null,
    startedAt: null,
    finishedAt: null,
    progress: null,
    decisions: [],
    waiting: null,
    permissions: { canCancel: true, canDelete: true },
    lastSequence: 2,
    ...rest,
  }) as unknown as JobDetails;

const status = (sequence: number, value: string): JobEvent =>
  ({
    __typename: 'JobStatusEvent',
    sequence,
    at: `t${sequence}`,
    status: value,
    reason: null,
    failure: null,
  }) as unknown as JobEvent;

test('events move the view on, and old ones change nothing', () => {
  const running = applyEvent(snapshot(), status(3, 'RUNNING'));
  expect(running).toMatchObject({ status: 'RUNNING', startedAt: 't3', lastSequence: 3 });
  expect(applyEvent(running, status(3, 'QUEUED'))).toBe(running);
  const ended = applyEvent(running, status(4, 'SUCCEEDED'));
  expect(ended).toMatchObject({
    status: 'SUCCEEDED',
    startedAt: 't3',
    finishedAt: 't4',
    permissions: { canCancel: false },
  });
});

test('a snapshot that was read before the last event does not take the view back', () => {
  const running = applyEvent(snapshot(), status(3, 'RUNNING'));
  expect(takeSnapshot(running, snapshot())).toBe(running);
  expect(takeSnapshot(running, snapshot({ lastSequence: 3, engine: 'cpu' })).engine).toBe('cpu');
});

test('an event of a kind that is not known yet is counted and otherwise passed over', () => {
  const event = { __typename: 'JobSongEvent', sequence: 3 } as unknown as JobEvent;
  expect(applyEvent(snapshot(), event)).toEqual(snapshot({ lastSequence: 3 }));
});

test('in whatever order events come, the newest state stays and the end is final', () => {
  const events = [status(3, 'RUNNING'), status(6, 'SUCCEEDED'), status(4, 'QUEUED'), status(5, 'RUNNING')];
  for (const order of permutations(events)) {
    const end = order.reduce(applyEvent, snapshot());
    expect([end.status, end.finishedAt]).toEqual(['SUCCEEDED', 't6']);
  }
  const ended = applyEvent(snapshot(), status(6, 'FAILED'));
  expect(takeSnapshot(ended, snapshot({ lastSequence: 6, status: 'RUNNING' })).status).toBe('FAILED');
});

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}
