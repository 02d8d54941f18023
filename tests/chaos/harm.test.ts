import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { harms } from '../support/harm.js';
import { untilAtRest } from '../support/leftovers.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser } from '../support/user.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';

let stack: Stack;
let client: NodeClient;
beforeAll(async () => {
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-harm-${process.pid}`),
    port: 0,
    workers: 2,
    cpuSlots: 1,
    diagnosticJobs: true,
    keepAlive: true,
    disposable: true,
    env: fastTiming,
  });
  client = await newUser(stack.url);
});
afterAll(async () => {
  client.close();
  await stack.close();
});

test.each(Object.keys(harms))(
  'while jobs run, %s: each ends once, no event is missing or doubled, nothing is left',
  async (name) => {
    const params = { steps: 12, stepMs: 50, logLines: 2, artifactBytes: 1_000 };
    const jobs = await Promise.all(Array.from({ length: 4 }, () => watchJob(client, params)));
    await until('two jobs make progress', () => {
      const moving = jobs.filter(({ events }) =>
        events.some((event) => event.__typename === 'JobProgressEvent'),
      );
      return moving.length >= 2;
    });
    await harms[name]!(stack, 1_500);
    await Promise.all(jobs.map((job) => job.ended));
    expect(jobs.flatMap(faultsOfJob)).toEqual([]);
    await untilAtRest(stack);
  },
);
