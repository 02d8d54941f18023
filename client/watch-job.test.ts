import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createClient, type NodeClient, type ConnectionState, type WatchOptions } from './node.js';
import { StubJob } from './testing/stub-job.js';
import { refuse, startStub, type StubServer } from './testing/stub-server.js';

let job: StubJob;
let server: StubServer;
let client: NodeClient;
let goodToken: string;
const open: StubServer[] = [];

beforeEach(async () => {
  job = new StubJob();
  goodToken = 'first';
  const viewer = { id: 'usr_1', email: 'a@b', name: 'a', role: 'USER' };
  server = await startStub({
    isGood: (authorization) => authorization === `Bearer ${goodToken}`,
    fields: {
      ...job.fields,
      refresh: ({ token }) =>
        token === 'renewal'
          ? {
              __typename: 'SignInSuccess',
              viewer,
              accessToken: 'second',
              expiresAt: '2026-01-01T00:00:00.000Z',
              refreshToken: 'renewal',
            }
          : { __typename: 'UnauthenticatedProblem', code: 'UNAUTHENTICATED', message: 'Sign in again.' },
    },
  });
  open.push(server);
  client = createClient({ url: server.url, accessToken: 'first', refreshToken: 'renewal' });
});

afterEach(async () => {
  client.close();
  await Promise.all(open.splice(0).map((one) => one.stop()));
});

/** Watches to the end, calling `at` with each number seen. */
async function numbers(
  options: WatchOptions = {},
  at: (sequence: number) => unknown = () => undefined,
): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of client.watch(job.id, options)) {
    seen.push(event.sequence);
    await at(event.sequence);
  }
  return seen;
}

const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

function fill(count: number): void {
  for (let i = 0; i < count - 1; i++) job.log();
  job.finish();
}

test('replays what was before, goes live, and ends after the terminal event', async () => {
  job.log();
  job.log();
  const seen = await numbers({}, (sequence) => {
    if (sequence === 2) setTimeout(() => fill(3), 20);
  });
  expect(seen).toEqual(upTo(5));
});

test('starts after the number it is given', async () => {
  fill(6);
  expect(await numbers({ after: 4 })).toEqual([5, 6]);
});

test('ends at once when nothing can follow', async () => {
  fill(6);
  expect(await numbers({ after: 6 })).toEqual([]);
});

test('resumes by the last number, without gap and without repeat, over sockets that are cut or closed', async () => {
  const states: ConnectionState[] = [];
  const cuts = new Map<number, number | undefined>([
    [3, undefined],
    [6, 1001],
    [9, 1013],
    [12, 4500],
  ]);
  job.log();
  const seen = await numbers({ onState: (state) => states.push(state) }, async (sequence) => {
    if (cuts.has(sequence)) server.cut(cuts.get(sequence));
    if (cuts.has(sequence)) await new Promise((resolve) => setTimeout(resolve, 30));
    if (sequence === 15) job.finish();
    else if (sequence < 15) job.log();
  });
  expect(seen).toEqual(upTo(16));
  expect(job.asked.length).toBe(5);
  expect(states.filter((state) => state === 'reconnecting').length).toBe(4);
  expect(states.at(-1)).toBe('live');
});

test('waits for a server that is away and goes on where it stopped', async () => {
  job.log();
  const seen = await numbers({}, async (sequence) => {
    if (sequence !== 1) return;
    await server.stop();
    setTimeout(() => {
      fill(4);
      void server.start();
    }, 900);
  });
  expect(seen).toEqual(upTo(5));
});

test('drops what is not newer, in whatever order it is sent', async () => {
  fill(5);
  job.distort = (events) => events.flatMap((event, i) => [event, ...events.slice(0, i).reverse()]);
  expect(await numbers()).toEqual(upTo(5));
});

test('reads again when a number of a living job is missing', async () => {
  for (let i = 0; i < 4; i++) job.log();
  let distorted = 0;
  job.distort = (events) => (distorted++ === 0 ? events.filter((event) => event.sequence !== 2) : events);
  setTimeout(() => job.finish(), 600);
  expect(await numbers()).toEqual(upTo(5));
  expect(job.asked).toEqual([0, 1]);
});

test('says so when the number stays missing', async () => {
  for (let i = 0; i < 4; i++) job.log();
  job.distort = (events) => events.filter((event) => event.sequence !== 2);
  await expect(numbers()).rejects.toMatchObject({ name: 'SequenceGapError', expected: 2, received: 3 });
});

test('takes missing numbers of an ended job as pruned', async () => {
  fill(6);
  job.distort = (events) => events.filter((event) => event.sequence % 2 === 0);
  expect(await numbers()).toEqual([2, 4, 6]);
});

test('a refusal ends it with its code', async () => {
  job.faults.push(refuse('NOT_FOUND'));
  await expect(numbers()).rejects.toMatchObject({ name: 'ApiError', code: 'NOT_FOUND' });
});

test('a busy server is asked again', async () => {
  fill(2);
  job.faults.push(refuse('UNAVAILABLE'), refuse('RATE_LIMITED'));
  expect(await numbers()).toEqual([1, 2]);
});

test('a server that only fails inside is given up in the end', async () => {
  for (let i = 0; i < 9; i++) job.faults.push(refuse('INTERNAL'));
  await expect(numbers()).rejects.toMatchObject({ name: 'ApiError', code: 'INTERNAL' });
  expect(job.asked.length).toBe(5);
});

test('a socket closed for its token is reopened with a fresh one', async () => {
  job.log();
  const seen = await numbers({}, (sequence) => {
    if (sequence !== 1) return;
    goodToken = 'second';
    server.cut(4403);
    fill(3);
  });
  expect(seen).toEqual(upTo(4));
});

test('a session that can not be renewed ends the watch with an auth error', async () => {
  client = createClient({ url: server.url, accessToken: 'stale', refreshToken: 'used up' });
  await expect(numbers()).rejects.toMatchObject({ name: 'ApiError', code: 'UNAUTHENTICATED' });
});

test('a fresh token that is refused as well ends the watch', async () => {
  goodToken = 'neither';
  await expect(numbers()).rejects.toMatchObject({ name: 'ApiError', code: 'UNAUTHENTICATED' });
});

test('a slow reader gets everything although more came than is held for it', async () => {
  for (let i = 0; i < 2_400; i++) job.log();
  job.finish();
  const seen = await numbers({}, (sequence) =>
    sequence === 1 ? new Promise((resolve) => setTimeout(resolve, 400)) : undefined,
  );
  expect(seen).toEqual(upTo(2_401));
  expect(job.asked.length).toBeGreaterThan(1);
});

test('the signal and close end a waiting watch, each with its reason', async () => {
  const controller = new AbortController();
  const stopped = numbers({ signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(stopped).rejects.toThrow('enough');
  const closed = numbers();
  setTimeout(() => client.close(), 50);
  await expect(closed).rejects.toMatchObject({ name: 'ClosedError' });
  client.close();
});

test('a peer that falls silent is cut off and the watch goes on over a new socket', async () => {
  const quiet = createClient({ url: server.url, accessToken: 'first', live: { pingMs: 80, pongMs: 80 } });
  job.log();
  const seen: number[] = [];
  let silenced = false;
  for await (const event of quiet.watch(job.id)) {
    seen.push(event.sequence);
    if (!silenced) {
      silenced = true;
      server.silence();
      setTimeout(() => fill(2), 300);
    }
  }
  quiet.close();
  expect(seen).toEqual(upTo(3));
  expect(server.socketCount()).toBe(2);
});
