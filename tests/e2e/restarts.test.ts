import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap, type JobEvent, type NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { faultsOfSequence } from '../support/sequence.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { logOf, newUser, statusesOf, submitDiagnostic } from '../support/user.js';

/** A stack of this file's own: it is broken on purpose. */
const options = {
  dataDir: join(tmpdir(), `gjm-restarts-${process.pid}`),
  port: 0,
  cpuSlots: 1,
  diagnosticJobs: true,
  keepAlive: true,
  env: fastTiming,
};
let stack: Stack;
let client: NodeClient;
beforeAll(async () => {
  stack = await startStack(options);
  client = await newUser(stack.url);
});
afterAll(async () => {
  client.close();
  await stack.close();
});

/** Starts a job that prints and makes steps of 50 ms, and collects its events as they come. */
async function watchedJob(
  params: { steps?: number; ignoreCancel?: boolean } = {},
): Promise<{ id: string; events: JobEvent[]; ended: Promise<void> }> {
  const id = await submitDiagnostic(client, { steps: 30, stepMs: 50, logLines: 3, ...params });
  const events: JobEvent[] = [];
  const ended = (async () => {
    for await (const event of client.watch(id)) events.push(event);
  })();
  await until('progress is seen', () => events.some((event) => event.__typename === 'JobProgressEvent'));
  return { id, events, ended };
}

test('the server is killed and comes back: the same attempt goes on, the watcher misses and repeats nothing', async () => {
  const { id, events, ended } = await watchedJob({ steps: 60 });
  const pid = stack.pids()['server'];
  stack.kill('server', 'SIGKILL');
  await until('the server is back', () => stack.pids()['server'] && stack.pids()['server'] !== pid, 10_000);
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  expect((await client.job(id))?.attempts).toHaveLength(1);
});

test('the worker is killed: its attempt is lost, the next one succeeds, and only that one counts', async () => {
  const { id, events, ended } = await watchedJob();
  stack.kill('worker', 'SIGKILL');
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'QUEUED', 'RUNNING', 'SUCCEEDED']);
  const job = await client.job(id);
  expect(job?.attempts.map((attempt) => attempt.outcome)).toEqual(['LOST', 'SUCCEEDED']);
  expect(job?.attempts[0]?.failure?.code).toBe('WORKER_LOST');
  expect(logOf(events.filter((event) => event.attempt === 2))).toBe('line 1\nline 2\nline 3\n');
});

test('the worker is killed when a cancel was just asked: the job ends as CANCELLED and is not tried again', async () => {
  const { id, events, ended } = await watchedJob({ steps: 1_000, ignoreCancel: true });
  unwrap(await client.cancel(id));
  stack.kill('worker', 'SIGKILL');
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'CANCELLED']);
  const job = await client.job(id);
  expect(job?.attempts).toHaveLength(1);
  expect(job?.maxAttempts).toBeGreaterThan(1);
  const next = await submitDiagnostic(client, {});
  await until('its device takes the next job', async () => (await client.job(next))?.status === 'SUCCEEDED');
});

test('the worker is told to stop: its attempt is released and does not count', async () => {
  const { id, events, ended } = await watchedJob();
  await stack.restart('worker');
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  expect((await client.job(id))?.attempts.map((attempt) => attempt.outcome)).toEqual([
    'RELEASED',
    'SUCCEEDED',
  ]);
});

test('Redis is restarted and emptied: nothing is lost', async () => {
  const { events, ended } = await watchedJob();
  await stack.restart('redis');
  const next = await submitDiagnostic(client, {});
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  await until('the next job ends', async () => (await client.job(next))?.status === 'SUCCEEDED');
});

test('Postgres is restarted: the same attempt goes on', async () => {
  const { id, events, ended } = await watchedJob();
  await stack.restart('postgres');
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events).at(-1)).toBe('SUCCEEDED');
  expect((await client.job(id))?.attempts).toHaveLength(1);
});

test('the whole stack is stopped and started: a job that ran is taken up again', async () => {
  const { id, events, ended } = await watchedJob();
  ended.catch(() => undefined);
  await stack.close();
  const port = Number(new URL(stack.url).port);
  stack = await startStack({ ...options, port, disposable: true });
  await ended;
  expect(faultsOfSequence(events)).toEqual([]);
  expect(statusesOf(events).at(-1)).toBe('SUCCEEDED');
  expect((await client.job(id))?.attempts.at(-1)?.outcome).toBe('SUCCEEDED');
});
