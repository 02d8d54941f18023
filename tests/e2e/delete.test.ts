import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ProblemError, unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';

let client: NodeClient;
let database: pg.Client;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
  database = new pg.Client({ connectionString: sharedStack().databaseUrl });
  await database.connect();
});
afterAll(async () => {
  client.close();
  await database.end();
});

/** How many rows speak of a job, in every table that has a column for it. */
async function rowsOf(jobId: string): Promise<number> {
  const { rows: columns } = await database.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND (column_name = 'job_id' OR (table_name = 'jobs' AND column_name = 'id'))`,
  );
  const counts = await Promise.all(
    columns.map(({ table, column }) =>
      database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`, [
        jobId,
      ]),
    ),
  );
  return counts.reduce((sum, { rows }) => sum + rows[0]!.count, 0);
}

const filesOf = async (jobId: string): Promise<string[]> => {
  const files = await readdir(join(sharedStack().dataDir, 'artifacts'), { recursive: true });
  return files.filter((file) => file.includes(jobId));
};

test('deleting an ended job leaves no row and no byte', async () => {
  const id = await submitDiagnostic(client, { artifactBytes: 1_000, logLines: 1_000, steps: 3 });
  await watchToEnd(client, id);
  expect(await rowsOf(id)).toBeGreaterThan(5);
  expect(await filesOf(id)).not.toEqual([]);
  unwrap(await client.deleteJob(id));
  expect(await rowsOf(id)).toBe(0);
  expect(await client.job(id)).toBeNull();
  await until('the bytes are gone', async () => (await filesOf(id)).length === 0);
});

test('a job whose artifact a living job uses can not be deleted until that one has ended', async () => {
  const maker = await submitDiagnostic(client, { artifactBytes: 10 });
  await watchToEnd(client, maker);
  const artifact = (await client.job(maker))!.artifacts[0]!;
  const user = await submitDiagnostic(client, {}, { deviceSelector: { name: 'none' } });
  await database.query(
    `INSERT INTO job_inputs (job_id, field, file_id, bytes, sha256, storage_key) VALUES ($1, 'file', $2, 10, '', 'none')`,
    [user, artifact.id],
  );
  const refused = await client.deleteJob(maker);
  expect(() => unwrap(refused)).toThrow(ProblemError);
  expect(refused).toMatchObject({ code: 'JOB_HAS_DEPENDANTS' });
  unwrap(await client.cancel(user));
  unwrap(await client.deleteJob(maker));
});

test('a watcher of a job that is deleted under its eyes after the end has everything; a later one is told there is no such job', async () => {
  const id = await submitDiagnostic(client, {});
  const events = await watchToEnd(client, id);
  unwrap(await client.deleteJob(id));
  expect(events.at(-1)).toMatchObject({ status: 'SUCCEEDED' });
  await expect(watchToEnd(client, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
