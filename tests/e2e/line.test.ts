import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';

let client: NodeClient;
let database: pg.Client;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
  database = new pg.Client({ connectionString: sharedStack().databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.query(`DELETE FROM jobs WHERE name = 'hopeless'`);
  await database.end();
  client.close();
});

test('ten thousand jobs that nobody can take hide no job behind them', async () => {
  const viewer = await client.viewer();
  await database.query(
    `INSERT INTO jobs (id, owner_id, kind, name, params, labels, priority, max_attempts, timeout_seconds, device_selector, plan, status)
     SELECT 'job_h' || lpad(n::text, 25, '0'), $1, 'diagnostic', 'hopeless', '{}', '{}', 90, 1, 60, '{"name":"no such device"}',
       '{"tier":null,"engines":["wasm"],"memoryBytes":0,"validators":[],"policyVersion":"x","why":"x"}', 'QUEUED'
     FROM generate_series(1, 10050) AS n`,
    [viewer!.id],
  );
  const id = await submitDiagnostic(client, {});
  expect(statusesOf(await watchToEnd(client, id)).at(-1)).toBe('SUCCEEDED');
});
