import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createClient, type NodeClient } from '@gjm/client/node.js';
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
}, 30_000);
afterAll(async () => {
  client.close();
  await database.end();
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
