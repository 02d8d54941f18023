import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { isAlive, runnersOf } from '../support/harm.js';
import { untilAtRest } from '../support/leftovers.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';

let stack: Stack;
let client: NodeClient;
beforeAll(async () => {
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-stores-${process.pid}`),
    port: 0,
    diagnosticJobs: true,
    disposable: true,
    env: fastTiming,
  });
  client = await newUser(stack.url);
});
afterAll(async () => {
  client.close();
  await stack.close();
});

test('while Redis is away submits, reads, watches, live lists and cancels go on; what was submitted runs once it is back', async () => {
  const running = await submitDiagnostic(client, { steps: 200, stepMs: 50 });
  await until('it runs', async () => (await client.job(running))?.status === 'RUNNING');
  const changed = new Set<string>();
  void (async () => {
    for await (const change of client.watchJobs())
      if (change.kind === 'change' && change.value.job)
        changed.add(`${change.value.job.id} ${change.value.job.status}`);
  })().catch(() => undefined); // ends with the client
  await stack.stop('redis');
  expect(await (await fetch(`${stack.url}/readyz`)).json()).toMatchObject({ ok: true });
  const queued = await submitDiagnostic(client, {});
  await until('the list shows the submit', () => changed.has(`${queued} QUEUED`));
  await client.cancel(running);
  expect(statusesOf(await watchToEnd(client, running)).at(-1)).toBe('CANCELLED');
  await until('the list shows the cancel', () => changed.has(`${running} CANCELLED`));
  expect((await client.job(queued))?.status).toBe('QUEUED');
  await stack.start('redis');
  expect(statusesOf(await watchToEnd(client, queued)).at(-1)).toBe('SUCCEEDED');
});

/** Signals one part and waits until its process, and every runner it had, is gone. */
async function untilStopped(name: string): Promise<void> {
  const pid = stack.pids()[name]!;
  const runners = name === 'worker' ? runnersOf(pid) : [];
  stack.kill(name, 'SIGTERM');
  await until(`the ${name} has ended`, () => !isAlive(pid));
  await until('its runners have ended', () => !runners.some(isAlive));
}

test.each(['worker', 'server'])(
  'without Redis an idle %s ends when told to, and comes back with it',
  async (name) => {
    await stack.stop('redis');
    await untilStopped(name);
    await stack.start('redis');
    await stack.start(name);
    const job = await watchJob(client, {});
    await job.ended;
    expect(faultsOfJob(job)).toEqual([]);
  },
);

test('without Redis a busy worker ends, its child too, and its job is taken up again once', async () => {
  const job = await watchJob(client, { steps: 30, stepMs: 50 });
  await until('it makes progress', () => job.events.some((event) => event.__typename === 'JobProgressEvent'));
  await stack.stop('redis');
  await untilStopped('worker');
  await stack.start('redis');
  await stack.start('worker');
  await job.ended;
  expect(faultsOfJob(job)).toEqual([]);
  expect((await client.job(job.id))?.attempts.map((attempt) => attempt.outcome)).toEqual([
    'RELEASED',
    'SUCCEEDED',
  ]);
  await untilAtRest(stack);
});

test('without Postgres the server ends when told to, and what ran goes on once both are back', async () => {
  const job = await watchJob(client, { steps: 30, stepMs: 50 });
  await until('it makes progress', () => job.events.some((event) => event.__typename === 'JobProgressEvent'));
  await stack.stop('postgres');
  await untilStopped('server');
  await stack.start('postgres');
  await stack.start('server');
  await job.ended;
  expect(faultsOfJob(job)).toEqual([]);
  expect((await client.job(job.id))?.attempts).toHaveLength(1);
});
