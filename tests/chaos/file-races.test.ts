import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import { createDataSource } from '@gjm/server/persistence/data-source.js';
import { createDatabase } from '@gjm/server/persistence/database.js';
import { pruneScraps } from '@gjm/server/persistence/transitions/sweep.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { Machine, type Claimed } from '../support/machine.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { submitDiagnostic } from '../support/user.js';

const rounds = 40;
/** Rounds under way at once. */
const lanes = 6;

let bench: ServerBench;
let server: ServerProcess;
let artifactDir: string;
let database: pg.Pool;
let client: NodeClient;
let machine: Machine;
/** The server's own way to the database, to prune when a test says so. */
let pruning: DataSource;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const timing = { GJM_TICK_MS: '100', GJM_LEASE_MS: '120000', GJM_DISPATCH_MS: '120000' };
  const env: Record<string, string> = { ...(await bench.install()), ...timing, GJM_DIAGNOSTIC_JOBS: '1' };
  const started = await bench.start(env);
  server = started;
  artifactDir = join(env['GJM_DATA_DIR'] ?? '', 'artifacts');
  database = new pg.Pool({ connectionString: env['DATABASE_URL'] });
  const { token } = await signUp(started.address);
  client = createClient({ url: started.address, accessToken: token });
  machine = await Machine.join(started.address, token);
  pruning = await createDataSource(env['DATABASE_URL'] ?? '', 2).initialize();
}, 30_000);
afterAll(async () => {
  client.close();
  await Promise.all([database.end(), pruning.destroy()]);
  await bench.close();
});

/** A diagnostic job that the machine has claimed. */
async function claimed(): Promise<Claimed & { jobId: string }> {
  const jobId = await submitDiagnostic(client, {});
  const attempt = await until('it is placed', async () => {
    const found = await database.query<{ id: string }>('SELECT id FROM attempts WHERE job_id = $1', [jobId]);
    return found.rows[0];
  });
  return { jobId, ...(await machine.claim(attempt.id)) };
}

/** Runs rounds 0 … `rounds` - 1, some at once, and gives what each came to. */
async function play<T>(round: (number: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < rounds) results.push(await round(next++));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

const deadlocks = async () => {
  const sql = 'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()';
  return (await database.query<{ count: number }>(sql)).rows[0]?.count;
};
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test('files that arrive while their job is cancelled, finished and deleted: stored or refused, never a deadlock', async () => {
  const answers = await play(async (number) => {
    const { jobId, ...own } = await claimed();
    const files = Array.from({ length: 4 }, (_, i) => machine.put(own, 'LOG', `f${i}`, Buffer.from(`${i}`)));
    const end = async () => {
      if (number % 3 === 0) await client.cancel(jobId);
      const finished = await machine.finish(own, number % 3 === 0 ? 'CANCELLED' : 'SUCCEEDED');
      const deleted = number % 2 === 0 ? await client.deleteJob(jobId) : null;
      return { finished: finished.status, deleted: deleted?.__typename };
    };
    const [ended, ...stored] = await Promise.all([end(), ...files]);
    return { ...ended, stored: stored.map(({ status }) => status) };
  });
  expect(answers).toHaveLength(rounds);
  expect(new Set(answers.map(({ finished }) => finished))).toEqual(new Set([200]));
  const statuses = new Set(answers.flatMap(({ stored }) => stored));
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(await deadlocks()).toBe(0);
  expect(server.output()).not.toMatch(/40P01|"level":"(error|fatal)"/);
}, 30_000);

test('a job deleted while another one takes its file as input: one of the two is refused, and no input is without its bytes', async () => {
  const picture = await readFile(join(cloneRoot, 'samples', 'harbour.png'));
  const outcomes = await play(async (number) => {
    const { jobId, ...own } = await claimed();
    const { artifactId } = await machine.put(own, 'RESULT', 'output.png', picture);
    await machine.finish(own, 'SUCCEEDED', [artifactId]);
    const use = async () => {
      const input = {
        kind: 'image.upscale',
        params: { image: artifactId },
        deviceSelector: { worker: 'none' },
      };
      const answer = await client.submit(input);
      return answer.__typename === 'SubmitJobSuccess' ? 'used' : answer;
    };
    const remove = async () => {
      await delay(number % 12);
      return client.deleteJob(jobId);
    };
    const [used, removed] = await Promise.all([use(), remove()]);
    return { used, removed };
  });
  const usedOnes = outcomes.filter(({ used }) => used === 'used');
  const removedOnes = outcomes.filter(({ removed }) => removed.__typename === 'DeleteJobSuccess');
  // Both happened, and in each round exactly one of them.
  expect([usedOnes.length > 0, removedOnes.length > 0]).toEqual([true, true]);
  expect(usedOnes.length + removedOnes.length).toBe(rounds);
  for (const { removed } of usedOnes) expect(removed).toMatchObject({ code: 'JOB_HAS_DEPENDANTS' });
  for (const { used } of removedOnes) expect(used).toMatchObject({ fields: [{ path: ['params', 'image'] }] });
  // What is to be removed is noted with the deletion: a key of an input among it would be lost bytes sooner or later.
  const doomed = await database.query('SELECT FROM blob_removals JOIN job_inputs USING (storage_key)');
  expect(doomed.rows).toEqual([]);
  const inputs = await database.query<{ key: string }>('SELECT storage_key AS key FROM job_inputs');
  expect(inputs.rows).toHaveLength(usedOnes.length);
  expect(await Promise.all(inputs.rows.map(({ key }) => isThere(join(artifactDir, key))))).toEqual(
    usedOnes.map(() => true),
  );
  expect(await deadlocks()).toBe(0);
  expect(server.output()).not.toMatch(/40P01|"level":"(error|fatal)"/);
}, 30_000);

/** Two ways in which a file goes by itself: each is given an attempt whose first file is a checkpoint, and then removes that one. */
const prunes = {
  'a newer checkpoint': (own: Claimed) => machine.put(own, 'CHECKPOINT', 'f3', Buffer.from('3')),
  'its age': () => pruneScraps(createDatabase(pruning), 0),
};
type Prune = keyof typeof prunes;

/** A checkpoint that is a picture and next to go, and a submit that takes it as input. */
async function oldCheckpoint(prune: Prune) {
  const picture = await readFile(join(cloneRoot, 'samples', 'harbour.png'));
  const { jobId, ...own } = await claimed();
  const { artifactId } = await machine.put(own, 'CHECKPOINT', 'f0', picture);
  for (const name of ['f1', 'f2']) await machine.put(own, 'CHECKPOINT', name, Buffer.from(name));
  if (prune === 'its age') await machine.finish(own, 'FAILED');
  const input = { kind: 'image.upscale', params: { image: artifactId }, deviceSelector: { worker: 'none' } };
  const isThere = async () =>
    (await database.query('SELECT FROM artifacts WHERE id = $1', [artifactId])).rowCount === 1;
  return { jobId, artifactId, isThere, submit: () => client.submit(input), prune: () => prunes[prune](own) };
}

/** Does `work` while this statement, uncommitted, holds up whoever comes against it; then takes it back. */
async function holding<T>(sql: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  const holder = await database.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(sql, values);
    return await work();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** Waits until a statement with this text waits for a lock. */
const isHeldUp = (text: string) =>
  until(`a statement with ${text} waits`, async () => {
    const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
    return (await database.query(sql, [`%${text}%`])).rowCount;
  });

test.each(Object.keys(prunes) as Prune[])(
  'a checkpoint that a submit is taking is not removed by %s',
  async (prune) => {
    const file = await oldCheckpoint(prune);
    // A job's row is checked against its owner's, after all of its statement is done but the commit.
    const submit = await holding('SELECT FROM users FOR UPDATE', [], async () => {
      const submit = file.submit();
      await isHeldUp('INSERT INTO jobs');
      await file.prune();
      return { answer: submit };
    });
    expect(await submit.answer).toMatchObject({ __typename: 'SubmitJobSuccess' });
    await file.prune();
    expect(await file.isThere()).toBe(true);
  },
);

test.each(Object.keys(prunes) as Prune[])(
  'a checkpoint that %s is removing is not taken by a submit',
  async (prune) => {
    const file = await oldCheckpoint(prune);
    const key = 'INSERT INTO blob_removals (storage_key) SELECT storage_key FROM artifacts WHERE id = $1';
    const { pruned, submit } = await holding(key, [file.artifactId], async () => {
      const pruned = file.prune();
      await isHeldUp('INSERT INTO blob_removals');
      const submit = file.submit();
      await isHeldUp('INSERT INTO jobs');
      return { pruned, submit };
    });
    await pruned;
    expect(await submit).toMatchObject({ fields: [{ path: ['params', 'image'] }] });
    expect(await file.isThere()).toBe(false);
  },
);

test('one file that two fields name is locked once, and taken for both', async () => {
  const { jobId: _, ...own } = await claimed();
  const { artifactId } = await machine.put(
    own,
    'RESULT',
    'model.zip',
    Buffer.from('PK\u0003\u0004'.padEnd(64, '\0')),
  );
  await machine.finish(own, 'SUCCEEDED', [artifactId]);
  const params = { model: artifactId, input: artifactId };
  const answer = await client.submit({ kind: 'model.predict', params, deviceSelector: { worker: 'none' } });
  expect(answer).toMatchObject({ __typename: 'SubmitJobSuccess' });
});
