import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { scrape } from '../support/prometheus.js';
import { ServerBench } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { openStatementLog, type StatementLog } from '../support/statement-log.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let log: StatementLog;
let database: pg.Client;
let url: string;
let admin: SignedIn;
/** What the server runs by the clock, whoever asks. */
let background: Set<string>;

const jobs = 100;
const plan = JSON.stringify({ engines: ['cpu'] });

/** Ended jobs of two users, each with an attempt on one of ten devices, two artifacts and two decisions. */
const fill = `
INSERT INTO workers (id, instance_id, boot_id, name, version, engine_audit, lease_until)
  SELECT 'wrk_' || lpad(n::text, 26, '0'), 'instance-' || n, 'boot', 'w' || n, '0', '[]', now() + interval '1 hour' FROM generate_series(1, 2) n;
INSERT INTO devices (id, worker_id, uid, name, kind, engines, labels, health)
  SELECT 'dev_' || lpad(n::text, 26, '0'), 'wrk_' || lpad((n % 2 + 1)::text, 26, '0'), 'uid' || n, 'd' || n, 'CPU', '["cpu"]', '{}', 'OK'
  FROM generate_series(1, 10) n;
INSERT INTO jobs (id, owner_id, kind, name, params, labels, priority, max_attempts, timeout_seconds, device_selector, plan, status, finished_at,
  attempt_count, last_sequence)
  SELECT 'job_' || lpad(n::text, 26, '0'), (SELECT id FROM users ORDER BY id LIMIT 1 OFFSET 1 + n % 2), 'diagnostic', 'j' || n, '{}', '{}', 50, 3,
    60, '{}', '${plan}', 'SUCCEEDED', now(), 1, 2 FROM generate_series(1, ${jobs}) n;
INSERT INTO attempts (id, job_id, number, worker_id, state, engine, outcome)
  SELECT 'att_' || lpad(n::text, 26, '0'), 'job_' || lpad(n::text, 26, '0'), 1, 'wrk_' || lpad('1', 26, '0'), 'ENDED', 'cpu', 'SUCCEEDED'
  FROM generate_series(1, ${jobs}) n;
INSERT INTO attempt_devices SELECT 'att_' || lpad(n::text, 26, '0'), 'dev_' || lpad((n % 10 + 1)::text, 26, '0'), 0 FROM generate_series(1, ${jobs}) n;
INSERT INTO artifacts (id, job_id, attempt_id, attempt_number, role, name, media_type, bytes, sha256, storage_key, accepted)
  SELECT 'art_' || lpad((n * 2 + k)::text, 26, '0'), 'job_' || lpad(n::text, 26, '0'), 'att_' || lpad(n::text, 26, '0'), 1, 'RESULT', 'f' || k,
    'text/plain', 1, repeat('0', 64), 'x', true FROM generate_series(1, ${jobs}) n, generate_series(0, 1) k;
INSERT INTO decisions (id, job_id, stage, summary, data)
  SELECT 'dec_' || lpad((n * 2 + k)::text, 26, '0'), 'job_' || lpad(n::text, 26, '0'), 'planner', 's', '{}'
  FROM generate_series(1, ${jobs}) n, generate_series(0, 1) k;
INSERT INTO job_events (job_id, sequence, type, data)
  SELECT 'job_' || lpad(n::text, 26, '0'), k, 'status', '{"status":"QUEUED","reason":null,"failure":null}'
  FROM generate_series(1, ${jobs}) n, generate_series(1, 2) k`;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env = await bench.install();
  log = await openStatementLog(env['DATABASE_URL'] as string);
  const quiet = { GJM_TICK_MS: '60000', GJM_LEASE_MS: '600000', GJM_DATABASE_POOL: '5' };
  [url] = (await bench.startMany(1, { ...env, ...quiet, DATABASE_URL: log.url })) as [string];
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  [admin] = [await signUp(url), await signUp(url), await signUp(url)];
  await database.query(fill);
  log.statements.length = 0;
  await until('the clock has run what it runs', () => log.statements.length >= 2);
  background = new Set(log.statements);
}, 30_000);

afterAll(async () => {
  await database.end();
  await bench.close();
  log.close();
});

/** The statements that one operation runs. */
async function statementsOf(query: string, variables: object): Promise<string[]> {
  const before = log.statements.length;
  const { errors, text } = await post(url, query, { variables, token: admin.token });
  expect([errors, text.length > 100]).toEqual([undefined, true]);
  return log.statements.slice(before).filter((statement) => !background.has(statement));
}

describe('the number of statements', () => {
  const list = (more: string) => `query ($n: Int) { jobs(first: $n) { nodes {
    id owner { id name } devices { id name } artifacts { id url } attempts { id } decisions { id summary } waiting { position } ${more}
  } } }`;
  const deep = 'attempts { devices { worker { name } } artifacts { id } }';

  test.each([
    ['a list', '', 8],
    ['a list with what hangs on its attempts', deep, 10],
    [
      'a list with a page of events in each row',
      'events(first: 2) { nodes { sequence } hasMore lastSequence }',
      9,
    ],
  ])('of %s does not grow with its rows, and has a bound', async (_what, more, most) => {
    await statementsOf(list(more), { n: 1 }); // the session is known from here on
    const five = await statementsOf(list(more), { n: 5 });
    const hundred = await statementsOf(list(more), { n: 100 });
    expect(hundred.length).toBe(five.length);
    expect(hundred.map((text) => text.slice(0, 60)).slice(most)).toEqual([]);
  });
});

describe('a pool of five connections', () => {
  test('answers 200 lists and 50 mutations that fail within ten seconds, and is free afterwards', async () => {
    const started = performance.now();
    const list = `{ jobs(first: 20) { nodes { id owner { id } attempts { id } artifacts { id } } totalCount } }`;
    const wrong = 'mutation { submitJob(input: { kind: "nope", params: {} }) { __typename } }';
    const answers = await Promise.all([
      ...Array.from({ length: 200 }, () => post(url, list, { token: admin.token })),
      ...Array.from({ length: 50 }, () => post(url, wrong, { token: admin.token })),
    ]);
    expect(answers.every(({ errors }) => errors === undefined)).toBe(true);
    expect(performance.now() - started).toBeLessThan(10_000);
    const { 'gjm_database_connections{in_use}': inUse, gjm_database_requests_waiting: waiting } = await until(
      'the pool is free',
      async () => {
        const values = await scrape(url);
        return values['gjm_database_connections{in_use}'] === 0 ? values : null;
      },
    );
    expect([inUse, waiting]).toEqual([0, 0]);
  });
});
