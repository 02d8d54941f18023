import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { post, type Answer } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { submitDiagnostic } from '../support/user.js';

/** Jobs that nobody can take, so that lists hold still where a test does not move them. */
const count = 60;
const waits = { deviceSelector: { worker: 'nobody' } };

let bench: ServerBench;
let database: pg.Client;
let url: string;
let token: string;
let client: NodeClient;
/** Oldest first. */
const ids: string[] = [];
let submittedAt: number;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env = await bench.install();
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  // The server and its database live in two zones, neither of them this process's.
  await database.query(`ALTER DATABASE ${database.database} SET timezone = 'America/Mexico_City'`);
  const server = await bench.start({ ...env, TZ: 'Asia/Kolkata', GJM_DIAGNOSTIC_JOBS: '1' });
  url = server.address;
  ({ token } = await signUp(url));
  client = createClient({ url, accessToken: token });
  submittedAt = Date.now();
  for (let i = 0; i < count; i += 1) ids.push(await submitDiagnostic(client, {}, waits));
}, 30_000);
afterAll(async () => {
  client.close();
  await database.end();
  await bench.close();
});

test('times are right, whatever zone the server and its database are in', async () => {
  const zone = await database.query<{ zone: string }>(
    'SELECT setting AS zone FROM pg_db_role_setting, unnest(setconfig) AS setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())',
  );
  expect(zone.rows[0]?.zone).toBe('TimeZone=America/Mexico_City');
  const job = await client.job(ids[0]!);
  expect(Math.abs(Date.parse(job?.createdAt ?? '') - submittedAt)).toBeLessThan(2_000);
  unwrap(await client.cancel(ids[0]!));
  const { createdAt, finishedAt } = (await client.job(ids[0]!))!;
  expect(Date.parse(finishedAt!)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  expect(Math.abs(Date.parse(finishedAt!) - Date.now())).toBeLessThan(2_000);
});

test('a walk over pages sees every job that was there all along once, while others come and go', async () => {
  const gone: string[] = [];
  const seen: string[] = [];
  let after: string | null = null;
  for (let page = 0; page === 0 || after !== null; page += 1) {
    const { nodes, pageInfo } = await client.jobs({ first: 10, after });
    seen.push(...nodes.map(({ id }) => id));
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
    for (let i = 0; i < 3; i += 1) await submitDiagnostic(client, {}, waits);
    // One that was seen, the last one the cursor stands on, and one that is yet to come.
    for (const id of [nodes.at(-1)!.id, ids[1 + page]!].filter((id) => !gone.includes(id))) {
      await client.cancel(id); // the first one has ended already
      unwrap(await client.deleteJob(id));
      gone.push(id);
    }
  }
  expect(new Set(seen).size).toBe(seen.length);
  const stayed = ids.filter((id) => !gone.includes(id));
  expect(stayed.length).toBeGreaterThan(count / 2);
  expect(seen.filter((id) => stayed.includes(id))).toEqual([...stayed].reverse());
}, 20_000);

/** At the edge of 32 bits, beyond it, and the largest that anybody may store. */
const sizes = [0, 2_147_483_647, 2_147_483_648, 5_326_545_745, Number.MAX_SAFE_INTEGER];

test('a page is cut on jobs, each with all its files, and sizes beyond 32 bits are exact', async () => {
  await database.query(`
    UPDATE jobs SET status = 'SUCCEEDED', finished_at = now();
    INSERT INTO workers (id, instance_id, boot_id, name, version, engine_audit, lease_until)
      VALUES ('wrk_1', 'instance', 'boot', 'w', '0', '[]', now());
    INSERT INTO attempts (id, job_id, number, worker_id, state, engine, outcome)
      SELECT 'att_' || id, id, 1, 'wrk_1', 'ENDED', 'cpu', 'SUCCEEDED' FROM jobs;
    INSERT INTO artifacts (id, job_id, attempt_id, attempt_number, role, name, media_type, bytes, sha256, storage_key, accepted)
      SELECT 'art_' || j.n || '_' || f.n, j.id, 'att_' || j.id, 1, 'RESULT', 'file ' || f.n, 'text/plain', size, '', j.n || '/' || f.n, true
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM jobs) AS j,
        unnest('{${sizes.join(',')}}'::bigint[]) WITH ORDINALITY AS f (size, n) WHERE f.n <= j.n % 6`);
  type Page = {
    jobs: {
      nodes: { id: string; artifacts: { bytes: number }[] }[];
      pageInfo: { endCursor: string };
    };
  };
  const query = `query ($after: String) {
    jobs(first: 10, after: $after) { nodes { id artifacts { bytes } } pageInfo { endCursor } } }`;
  const nodes: Page['jobs']['nodes'] = [];
  for (let after: string | null = null; nodes.length < 30;) {
    const answer: Answer<Page> = await post(url, query, { variables: { after }, token });
    if (!answer.data) throw new Error(answer.text);
    expect(answer.data.jobs.nodes).toHaveLength(10);
    nodes.push(...answer.data.jobs.nodes);
    after = answer.data.jobs.pageInfo.endCursor;
  }
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(30);
  const made = await database.query<{ id: string; n: number }>(
    'SELECT job_id AS id, count(*)::int AS n FROM artifacts GROUP BY job_id',
  );
  const expected = new Map(made.rows.map(({ id, n }) => [id, n]));
  for (const { id, artifacts } of nodes)
    expect(artifacts.map(({ bytes }) => bytes)).toEqual(sizes.slice(0, expected.get(id) ?? 0));
  expect(new Set(nodes.map(({ artifacts }) => artifacts.length))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
