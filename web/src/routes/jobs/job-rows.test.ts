import { expect, test } from '@jest/globals';
import type { JobRow } from '@gjm/client/index.js';
import { applyChange, mergeFirstPage, mergeNextPage } from './job-rows.js';

const job = (n: number, rest: Partial<JobRow> = {}): JobRow =>
  ({
    id: `job_${n}`,
    createdAt: `2026-01-01T00:00:0${n}.000Z`,
    status: 'QUEUED',
    lastSequence: 1,
    ...rest,
  }) as JobRow;
const ids = (rows: readonly JobRow[]): string => rows.map(({ id }) => id.slice(4)).join('');
const all = { passes: () => true, hasMore: false };

test('pages join to one list, newest first, without doubles', () => {
  const first = mergeFirstPage([], { nodes: [job(5), job(4)], hasNextPage: true });
  expect(ids(mergeNextPage(first, { nodes: [job(4), job(3), job(2)], hasNextPage: false }))).toBe('5432');
});

test('reading the first page again drops what has gone and leaves later pages and newer jobs alone', () => {
  const rows = [job(7), job(5), job(4), job(3), job(2), job(1)];
  expect(ids(mergeFirstPage(rows, { nodes: [job(6), job(5), job(3)], hasNextPage: true }))).toBe('765321');
  expect(ids(mergeFirstPage(rows, { nodes: [job(5), job(3)], hasNextPage: false }))).toBe('753');
  expect(ids(mergeFirstPage(rows, { nodes: [], hasNextPage: false }))).toBe('');
});

test('in whatever order page and changes arrive, the newest state of a job stays', () => {
  const done = job(5, { status: 'SUCCEEDED', lastSequence: 9 });
  const page = { nodes: [job(5, { status: 'RUNNING', lastSequence: 4 })], hasNextPage: false };
  const live = applyChange([], { job: done, deletedId: null }, all);
  expect(mergeFirstPage(live, page)[0]?.status).toBe('SUCCEEDED');
  expect(applyChange(mergeFirstPage([], page), { job: done, deletedId: null }, all)[0]?.status).toBe(
    'SUCCEEDED',
  );
  expect(applyChange(live, { job: page.nodes[0]!, deletedId: null }, all)[0]?.status).toBe('SUCCEEDED');
});

test('a deleted job and one that leaves the filter go', () => {
  const rows = [job(3), job(2), job(1)];
  expect(ids(applyChange(rows, { job: null, deletedId: 'job_2' }, all))).toBe('31');
  const running = job(3, { status: 'RUNNING', lastSequence: 2 });
  expect(
    ids(
      applyChange(
        rows,
        { job: running, deletedId: null },
        { passes: ({ status }) => status === 'QUEUED', hasMore: false },
      ),
    ),
  ).toBe('21');
});

test('a change of a job below the loaded pages waits for its page', () => {
  const rows = [job(5), job(4)];
  expect(ids(applyChange(rows, { job: job(2), deletedId: null }, { ...all, hasMore: true }))).toBe('54');
  expect(ids(applyChange(rows, { job: job(2), deletedId: null }, all))).toBe('542');
});

test('an end is final, whatever comes later', () => {
  const ended = applyChange([], { job: job(5, { status: 'FAILED', lastSequence: 4 }), deletedId: null }, all);
  const late = job(5, { status: 'RUNNING', lastSequence: 4 });
  expect(applyChange(ended, { job: late, deletedId: null }, all)[0]?.status).toBe('FAILED');
});
