import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { Machine } from '../support/machine.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { submitDiagnostic } from '../support/user.js';

/** What each job's plan needs, and what the device has: two fit, a third does not. */
const [needed, total] = [4e9, 10e9];

let bench: ServerBench;
let database: pg.Client;
let client: NodeClient;
let machine: Machine;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const timing = { GJM_TICK_MS: '100', GJM_LEASE_MS: '60000', GJM_DISPATCH_MS: '60000' };
  const env = { ...(await bench.install()), ...timing, GJM_DIAGNOSTIC_JOBS: '1' };
  const { address } = await bench.start(env);
  database = new pg.Client(env['DATABASE_URL' as keyof typeof env]);
  await database.connect();
  const { token } = await signUp(address);
  client = createClient({ url: address, accessToken: token });
  // Diagnostic jobs need no memory: their plans are given some before there is a machine that could take them.
  for (let i = 0; i < 5; i++) await submitDiagnostic(client, {});
  await database.query(`UPDATE jobs SET plan = jsonb_set(plan, '{memoryBytes}', to_jsonb($1::bigint))`, [
    needed,
  ]);
  // Its last look at the device saw all of it free, and it never looks again.
  machine = await Machine.join(address, token, { memoryBytes: total, memoryFreeBytes: total });
}, 30_000);
afterAll(async () => {
  client.close();
  await database.end();
  await bench.close();
});

const placed = async () =>
  (await database.query<{ id: string }>(`SELECT id FROM attempts WHERE state <> 'ENDED' ORDER BY id`)).rows;
const waiting = async () => (await client.jobs({ filter: { status: ['QUEUED'] } })).nodes;

test('what living attempts lease of a memory is not given twice, and is given again when one ends', async () => {
  await until('what fits is placed', async () => (await placed()).length === 2);
  const blocked = async () =>
    (await Promise.all((await waiting()).map(({ id }) => client.job(id)))).flatMap(
      (job) => job?.waiting?.reasons.map(({ code }) => code) ?? [],
    );
  await until(
    'the others wait for memory',
    async () => (await blocked()).filter((code) => code === 'NO_MEMORY').length === 3,
  );
  const claims = await Promise.all((await placed()).map(({ id }) => machine.claim(id)));
  for (let left = 3; left > 0; left--) {
    expect(await placed()).toHaveLength(2);
    await machine.finish(claims.shift()!, 'SUCCEEDED');
    const known = new Set(claims.map(({ attemptId }) => attemptId));
    const next = await until('one more is placed', async () =>
      (await placed()).find(({ id }) => !known.has(id)),
    );
    claims.push(await machine.claim(next.id));
  }
  expect(await placed()).toHaveLength(2);
});

test('a device that does not tell its memory takes what needs some', async () => {
  await database.query(`UPDATE devices SET memory_bytes = NULL, memory_free_bytes = NULL`);
  const id = await submitDiagnostic(client, {}, { deviceSelector: { name: 'nowhere' } });
  await database.query(
    `UPDATE jobs SET plan = jsonb_set(plan, '{memoryBytes}', to_jsonb($1::bigint)), device_selector = '{}' WHERE id = $2`,
    [needed, id],
  );
  await until('it is placed', async () => (await placed()).length === 3);
});
