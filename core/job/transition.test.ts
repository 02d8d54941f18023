import { expect, test } from '@jest/globals';
import { backoffMs, failureOf } from './failure.js';
import { canFollow, jobStatuses } from './status.js';
import {
  cancelTransition,
  claimTransition,
  endTransition,
  type AttemptEnding,
  type JobFacts,
} from './transition.js';

const facts = (over: Partial<JobFacts> = {}): JobFacts => ({
  id: 'job_a',
  ownerId: 'usr_a',
  status: 'RUNNING',
  cancelRequested: false,
  countedFailures: 0,
  maxAttempts: 3,
  attempt: { id: 'att_a', number: 1, state: 'RUNNING', engine: 'wasm', tier: null },
  ...over,
});
const ending = (over: Partial<AttemptEnding>): AttemptEnding => ({
  outcome: 'FAILED',
  failure: null,
  reason: null,
  slots: 'free',
  ...over,
});
const ann = { id: 'usr_a', name: 'Ann' };

test.each<[string, Partial<JobFacts>, Partial<AttemptEnding>, string, number | undefined]>([
  ['a success', {}, { outcome: 'SUCCEEDED' }, 'SUCCEEDED', undefined],
  [
    'a success after a cancel request',
    { cancelRequested: true },
    { outcome: 'SUCCEEDED' },
    'SUCCEEDED',
    undefined,
  ],
  [
    'a failure after a cancel request',
    { cancelRequested: true },
    { failure: failureOf('RUNNER_CRASHED', 'x') },
    'CANCELLED',
    undefined,
  ],
  [
    'a worker lost while cancelling',
    { cancelRequested: true },
    { outcome: 'LOST', failure: failureOf('WORKER_LOST', 'x') },
    'CANCELLED',
    undefined,
  ],
  ['a user error', {}, { failure: failureOf('WORKLOAD_ERROR', 'x') }, 'FAILED', undefined],
  ['a time-out', {}, { failure: failureOf('TIMEOUT', 'x') }, 'FAILED', undefined],
  ['a lost worker', {}, { outcome: 'LOST', failure: failureOf('WORKER_LOST', 'x') }, 'QUEUED', 0],
  ['a crash', {}, { failure: failureOf('RUNNER_CRASHED', 'x') }, 'QUEUED', 1_000],
  [
    'a crash at the cap',
    { countedFailures: 2 },
    { failure: failureOf('RUNNER_CRASHED', 'x') },
    'FAILED',
    undefined,
  ],
  ['a release', { countedFailures: 2 }, { outcome: 'RELEASED' }, 'QUEUED', undefined],
])('%s leads to the right status', (_name, job, end, status, backoff) => {
  const transition = endTransition(facts(job), ending(end), [], 0.5);
  expect(transition?.to).toBe(status);
  expect(transition?.backoffMs).toBe(backoff);
  expect(transition?.events.at(-1)).toMatchObject({ type: 'status', data: { status } });
});

test('an ended job has no further end, and one without an attempt has none either', () => {
  for (const status of jobStatuses.filter((it) => !canFollow(it, 'CANCELLED')))
    expect(
      endTransition(facts({ status, attempt: null }), ending({ outcome: 'SUCCEEDED' }), [], 0),
    ).toBeNull();
  expect(
    endTransition(facts({ status: 'QUEUED', attempt: null }), ending({ outcome: 'VOID' }), [], 0),
  ).toBeNull();
});

test('a void dispatch leaves the job queued without a status event', () => {
  const job = facts({ status: 'QUEUED', attempt: { ...facts().attempt!, state: 'DISPATCHED' } });
  expect(endTransition(job, ending({ outcome: 'VOID', slots: 'silence' }), [], 0)).toMatchObject({
    to: 'QUEUED',
    events: [],
  });
});

test('cancelling a queued job writes request and end together; a running one only the request; twice is no event', () => {
  const queued = cancelTransition(facts({ status: 'QUEUED', attempt: null }), ann, 'why', 1);
  expect(queued).toMatchObject({
    to: 'CANCELLED',
    events: [{ type: 'cancel-requested' }, { type: 'status' }],
  });
  expect(cancelTransition(facts(), ann, null, 20_000)).toMatchObject({
    to: 'RUNNING',
    attempt: { cancelWithinMs: 20_000 },
  });
  expect(cancelTransition(facts({ cancelRequested: true }), ann, null, 1)).toBe('already');
  expect(cancelTransition(facts({ status: 'FAILED', attempt: null }), ann, null, 1)).toBe('terminal');
});

test('only a dispatched attempt of a queued job can be claimed', () => {
  const claim = { tokenHash: 'h', leaseMs: 1, runMs: 1 };
  expect(claimTransition(facts(), claim)).toBeNull();
  expect(claimTransition(facts({ status: 'QUEUED', attempt: null }), claim)).toBeNull();
  const dispatched = facts({ status: 'QUEUED', attempt: { ...facts().attempt!, state: 'DISPATCHED' } });
  expect(claimTransition(dispatched, claim)).toMatchObject({ to: 'RUNNING', slots: 'keep' });
});

test('back-off grows fourfold from a second to a minute, give or take a fifth', () => {
  expect([0, 1, 2, 3, 9].map((n) => backoffMs(n, 0.5))).toEqual([1_000, 4_000, 16_000, 60_000, 60_000]);
  expect([backoffMs(0, 0), backoffMs(0, 0.999999)]).toEqual([800, 1_200]);
});
