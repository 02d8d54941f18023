import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { newUser, statusesOf, watchToEnd } from '../support/user.js';

let client: NodeClient;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
});
afterAll(() => client.close());

test('a device is measured by a job, with a metric for each size', async () => {
  const { job } = unwrap(await client.submit({ kind: 'device.benchmark', params: {} }));
  const events = await watchToEnd(client, job.id);
  expect(statusesOf(events).at(-1)).toBe('SUCCEEDED');
  const metrics = events.flatMap((event) =>
    event.__typename === 'JobMetricEvent' ? [[event.name, event.value] as const] : [],
  );
  expect(Object.fromEntries(metrics)).toMatchObject({
    matmul_gflops_256: expect.any(Number),
    memory_gb_per_s_1mib: expect.any(Number),
  });
  const done = await client.job(job.id);
  const device = (await client.devices()).find(({ id }) => id === done?.devices[0]?.id);
  // The figures stay with the device.
  expect(device?.benchmark).toEqual(Object.fromEntries(metrics));
  expect(done?.artifacts.map(({ name }) => name)).toEqual(['benchmark.json']);
});
