import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { harms } from '../support/harm.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';

let stack: Stack;
let client: NodeClient;
beforeAll(async () => {
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-contact-${process.pid}`),
    port: 0,
    diagnosticJobs: true,
    disposable: true,
    // A long lease: the worker stays online while it stands still, so that only its silence shows.
    env: { ...fastTiming, GJM_LEASE_MS: '6000', GJM_TICK_MS: '100', GJM_DISPATCH_MS: '500' },
  });
  client = await newUser(stack.url);
});
afterAll(async () => {
  client.close();
  await stack.close();
});

const health = async (): Promise<string | undefined> => (await client.devices())[0]?.health;

test('a slot that did not answer opens again although its probe was lost with everything in Redis', async () => {
  stack.kill('worker', 'SIGSTOP');
  const id = await submitDiagnostic(client, {});
  await until('the slot does not answer', async () => (await health()) === 'NOT_ANSWERING');
  await harms['Redis is emptied']!(stack, 0);
  stack.kill('worker', 'SIGCONT');
  const events = await watchToEnd(client, id);
  expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'SUCCEEDED']);
  const outcomes = (await client.job(id))?.attempts.map((attempt) => attempt.outcome);
  expect(outcomes?.slice(0, -1).every((outcome) => outcome === 'VOID')).toBe(true);
  const ledger = (await client.job(id))?.decisions.filter((decision) => decision.stage === 'executor');
  expect(ledger).toHaveLength(outcomes!.length - 1);
  await until('the slot is open', async () => (await health()) === 'OK');
});

test('a worker that is gone stays offline, however long no server was listening', async () => {
  const ended = stack.ended('worker');
  stack.kill('worker', 'SIGKILL');
  await ended;
  await until('it is offline', async () => (await client.workers())[0]?.online === false, 10_000);
  await delay(500); // a few passes of the expirer see it so
  await stack.stop('server');
  await delay(3_500); // more than half a lease: deadlines are put off
  await stack.start('server');
  expect((await client.workers())[0]?.online).toBe(false);
  await stack.start('worker');
  await until('it is back', async () => (await client.workers())[0]?.online === true);
});
