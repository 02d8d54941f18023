import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';

let stack: Stack;
let client: NodeClient;
beforeAll(async () => {
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-no-redis-${process.pid}`),
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
