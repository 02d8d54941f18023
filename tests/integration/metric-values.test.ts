import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { Machine } from '../support/machine.js';
import { scrape } from '../support/prometheus.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { submitDiagnostic } from '../support/user.js';

let bench: ServerBench;
let database: pg.Client;
let client: NodeClient;
let machine: Machine;
let join: () => Promise<Machine>;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const timing = { GJM_TICK_MS: '100', GJM_LEASE_MS: '60000', GJM_DISPATCH_MS: '1000' };
  const env = { ...(await bench.install()), ...timing, GJM_DIAGNOSTIC_JOBS: '1' };
  const { address } = await bench.start(env);
  database = new pg.Client(env['DATABASE_URL' as keyof typeof env]);
  await database.connect();
  const { token } = await signUp(address);
  client = createClient({ url: address, accessToken: token });
  join = () => Machine.join(address, token, { slots: 1 });
}, 30_000);
afterAll(async () => {
  client.close();
  await database.end();
  await bench.close();
});

/** Waits until a scrape has these values. */
const shows = (values: Record<string, number>) =>
  until(
    JSON.stringify(values),
    async () => {
      const now = await scrape(client.url);
      return Object.entries(values).every(([name, value]) => now[name] === value) || null;
    },
    8_000,
  );
/** Age of the oldest job, s, once it shows that it was submitted an hour ago: a scrape may be as old as a second. */
const ageOf = (status: string) =>
  until(`the age of what is ${status}`, async () => {
    const age = (await scrape(client.url))[`gjm_oldest_job_age_seconds{${status}}`] ?? 0;
    return age >= 3_600 ? age : null;
  });
/** The attempt that was dispatched. */
const dispatched = () =>
  until('an attempt is dispatched', async () => {
    const { rows } = await database.query<{ id: string }>(
      `SELECT id FROM attempts WHERE state = 'DISPATCHED'`,
    );
    return rows[0]?.id;
  });

test('jobs that wait are counted under their reasons, and the oldest one has an age', async () => {
  for (let n = 0; n < 2; n += 1) await submitDiagnostic(client, {});
  await shows({
    'gjm_waiting_jobs{NO_WORKER}': 2,
    'gjm_waiting_jobs{DEVICE_BUSY}': 0,
    'gjm_jobs{queued}': 2,
  });
  await database.query(`UPDATE jobs SET created_at = created_at - interval '1 hour'`);
  expect(await ageOf('queued')).toBeLessThan(3_660);
});

test('ends are counted by outcome, failures by their cause, and devices by their health', async () => {
  machine = await join();
  await shows({ 'gjm_devices{OK}': 1, 'gjm_devices{NOT_ANSWERING}': 0, 'gjm_workers{online}': 1 });
  const first = await machine.claim(await dispatched());
  await shows({ 'gjm_attempts{running}': 1, 'gjm_slots{taken}': 1, 'gjm_waiting_jobs{DEVICE_BUSY}': 1 });
  await ageOf('running');
  await machine.finish(first, 'SUCCEEDED');
  const second = await machine.claim(await dispatched());
  const failure = { code: 'WORKLOAD_ERROR', message: 'On purpose.' };
  await machine.finish(second, 'FAILED', [], { failure });
  await shows({
    'gjm_attempts_ended_total{SUCCEEDED}': 1,
    'gjm_attempts_ended_total{FAILED}': 1,
    'gjm_attempts_failed_total{WORKLOAD_ERROR}': 1,
    'gjm_attempts_failed_total{TIMEOUT}': 0,
  });
});

test('what is not picked up in time counts as expired, and closes its device as NOT_ANSWERING', async () => {
  await submitDiagnostic(client, {});
  await dispatched();
  await shows({
    'gjm_attempts_expired_total{dispatch}': 1,
    'gjm_attempts_ended_total{VOID}': 1,
    'gjm_devices{NOT_ANSWERING}': 1,
    'gjm_devices{OK}': 0,
    'gjm_slots{silent}': 1,
  });
  expect((await client.devices())[0]?.health).toBe('NOT_ANSWERING');
});
