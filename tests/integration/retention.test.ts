import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { watchToEnd } from '../support/user.js';

/** More than two portions of each: jobs are pruned by 20, files and snapshots by 1,000. */
const [oldJobs, oldFiles] = [45, 2_100];

const id = (noun: string, number: string) => `'${noun}_' || lpad((${number})::text, 26, '0')`;
const job = (number: string, status: string, finishedAt: string) => `
INSERT INTO jobs (id, owner_id, kind, name, params, labels, priority, max_attempts, timeout_seconds, device_selector, plan, status, finished_at,
  attempt_count, last_sequence)
  SELECT ${id('job', 'n')}, (SELECT id FROM users), 'diagnostic', 'j', '{}', '{}', 50, 3, 60, '{"worker": "nobody"}', '{"engines": []}', '${status}',
    ${finishedAt}, 0, 5 FROM generate_series(${number}) n;`;
const upload = (number: string, usedAt: string) => `
INSERT INTO uploads (id, owner_id, name, storage_key, last_used_at)
  SELECT ${id('upl', 'n')}, (SELECT id FROM users), 'u', 'uploads/' || n, ${usedAt} FROM generate_series(${number}) n;`;
const artifact = (number: string, ofJob: string, role: string, isAccepted: boolean) => `
INSERT INTO artifacts (id, job_id, attempt_id, attempt_number, role, name, media_type, bytes, sha256, storage_key, accepted)
  SELECT ${id('art', 'n')}, ${id('job', ofJob)}, ${id('att', ofJob)}, 1, '${role}', 'f' || n, 'text/plain', 1, repeat('0', 64), 'jobs/' || n,
    ${isAccepted} FROM generate_series(${number}) n;`;

/**
 * Jobs 1 to 45 ended 40 days ago, 100 ended yesterday, 200 lives. Uploads 1 to 2,100 were used two days ago, 5,000 an hour ago, and 6,000 two days
 * ago by the job that lives. Artifacts 1 to 2,100 are scraps of job 1; 5,000 is its result, 6,000 a scrap that the living job uses, 7,000 one of
 * yesterday's job.
 */
const fill = `
${job(`1, ${oldJobs}`, 'SUCCEEDED', `now() - interval '40 days'`)}
${job('100, 100', 'SUCCEEDED', `now() - interval '1 day'`)}
${job('200, 200', 'QUEUED', 'NULL')}
INSERT INTO workers (id, instance_id, boot_id, name, version, engine_audit, lease_until)
  VALUES (${id('wrk', '1')}, 'instance', 'boot', 'w', '0', '[]', now());
INSERT INTO attempts (id, job_id, number, worker_id, state, engine, outcome)
  SELECT ${id('att', 'n')}, ${id('job', 'n')}, 1, ${id('wrk', '1')}, 'ENDED', 'cpu', 'SUCCEEDED' FROM unnest(ARRAY[1, 100]) n;
INSERT INTO job_events (job_id, sequence, type, data)
  SELECT jobs.id, e.sequence, e.type, e.data::jsonb FROM jobs, (VALUES
    (1, 'status', '{"status": "QUEUED", "reason": null, "failure": null}'),
    (2, 'log', '{"stream": "STDOUT", "text": "line 1\\n", "firstLine": 1}'),
    (3, 'progress', '{"fraction": 1, "step": 1, "total": 1, "message": null, "etaSeconds": null}'),
    (4, 'metric', '{"name": "loss", "step": 1, "value": 1, "special": null}'),
    (5, 'status', '{"status": "SUCCEEDED", "reason": null, "failure": null}')) AS e (sequence, type, data);
${upload(`1, ${oldFiles}`, `now() - interval '2 days'`)}
${upload('5000, 5000', `now() - interval '1 hour'`)}
${upload('6000, 6000', `now() - interval '2 days'`)}
${artifact(`1, ${oldFiles}`, '1', 'LOG', false)}
${artifact('5000, 5000', '1', 'RESULT', true)}
${artifact('6000, 6000', '1', 'CHECKPOINT', false)}
${artifact('7000, 7000', '100', 'LOG', false)}
INSERT INTO job_inputs (job_id, field, file_id, bytes, sha256, storage_key)
  VALUES (${id('job', '200')}, 'a', ${id('upl', '6000')}, 1, '', 'uploads/6000'), (${id('job', '200')}, 'b', ${id('art', '6000')}, 1, '', 'jobs/6000');
INSERT INTO ticks (snapshot, at) SELECT '', now() - interval '8 days' FROM generate_series(1, ${oldFiles});
INSERT INTO ticks (snapshot) VALUES ('');`;

let bench: ServerBench;
let database: pg.Client;
let client: NodeClient;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env = await bench.install();
  const first = await bench.start(env);
  const { token } = await signUp(first.address);
  first.kill('SIGTERM');
  await first.exit;
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  await database.query(fill);
  // A server prunes when it starts, by its settings: 30 days for events, 7 for scraps.
  const { address } = await bench.start(env);
  client = createClient({ url: address, accessToken: token });
}, 30_000);
afterAll(async () => {
  client.close();
  await database.end();
  await bench.close();
});

const numbersOf = async (table: string) =>
  (await database.query<{ n: number }>(`SELECT substr(id, 5)::int AS n FROM ${table} ORDER BY id`)).rows.map(
    ({ n }) => n,
  );
const count = async (what: string) =>
  (await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`)).rows[0]?.n;

test('uploads nobody used for a day and scraps of long ended jobs go, all of them; what somebody needs stays', async () => {
  await until('uploads are pruned', async () => (await count('uploads')) === 2);
  expect(await numbersOf('uploads')).toEqual([5_000, 6_000]);
  await until('scraps are pruned', async () => (await count('artifacts')) === 3);
  expect(await numbersOf('artifacts')).toEqual([5_000, 6_000, 7_000]);
});

test('old snapshots go, and young ones stay', async () => {
  await until('snapshots are pruned', async () => (await count('ticks')) === 1);
});

test('logs, progress and metrics of jobs that ended long ago go, and their watchers still see how they ended', async () => {
  await until('events are pruned', async () => (await count('jobs WHERE events_pruned')) === oldJobs);
  const types = await database.query<{ sequences: number[]; jobs: number }>(
    `SELECT sequences, count(*)::int AS jobs FROM
       (SELECT array_agg(sequence ORDER BY sequence) AS sequences FROM job_events GROUP BY job_id) AS kept GROUP BY sequences ORDER BY jobs`,
  );
  expect(types.rows).toEqual([
    { sequences: [1, 2, 3, 4, 5], jobs: 2 },
    { sequences: [1, 5], jobs: oldJobs },
  ]);
  const events = await watchToEnd(client, `job_${'1'.padStart(26, '0')}`);
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 5]);
});
