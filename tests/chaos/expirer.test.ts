import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { endTransition } from '@gjm/core/job/transition.js';
import { failureOf } from '@gjm/core/job/failure.js';
import { resolveTiming, silentMs } from '@gjm/core/timing.js';
import { createJobChanger } from '@gjm/server/application/change-job.js';
import { createExpirer } from '@gjm/server/application/expire-attempts.js';
import type { WakeUps } from '@gjm/server/application/wake-ups.js';
import { createDataSource } from '@gjm/server/persistence/data-source.js';
import { createDatabase, type TransactionalDatabase } from '@gjm/server/persistence/database.js';
import { migrate } from '@gjm/server/persistence/migrate.js';
import { expiredAttempts, passExpirer } from '@gjm/server/persistence/transitions/expired-attempts.js';
import { recordHeartbeat } from '@gjm/server/persistence/transitions/worker-heartbeat.js';
import { readJobFacts } from '@gjm/server/persistence/transitions/read-job-facts.js';
import { applyTransition } from '@gjm/server/persistence/transitions/apply-transition.js';
import type { DataSource } from 'typeorm';
import pg from 'pg';
import { sharedStack } from '../support/environment.js';

const name = `expirer_${process.pid}`;
const timing = resolveTiming({ leaseMs: 1_000 });
const ids = { job: 'job_1', attempt: 'att_1' };
let admin: pg.Client;
let dataSource: DataSource;
let database: TransactionalDatabase;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: sharedStack().databaseUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(sharedStack().databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  dataSource = await createDataSource(url.href, 8).initialize();
  database = createDatabase(dataSource);
  await dataSource.query(
    `INSERT INTO users (id, email, name, role) VALUES ('usr_1', 'a@example.com', 'A', 'USER')`,
  );
  await dataSource.query(`INSERT INTO workers (id, instance_id, boot_id, name, version, engine_audit, lease_until)
    VALUES ('wrk_1', 'i', 'b', 'w', '0', '[]', now())`);
  await dataSource.query(
    'INSERT INTO installation (id) SELECT $1 WHERE NOT EXISTS (SELECT FROM installation)',
    ['x'],
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
});

/** A running attempt whose lease ended 5 s ago, in an installation that nobody has looked after for 6 s: all stood still. */
beforeEach(async () => {
  await dataSource.query('DELETE FROM jobs');
  await dataSource.query(`INSERT INTO jobs (id, owner_id, kind, name, params, labels, priority, max_attempts, timeout_seconds, device_selector,
    plan, status, current_attempt_id, attempt_count) VALUES ('job_1', 'usr_1', 'diagnostic', 'j', '{}', '{}', 50, 3, 60, '{}', '{}', 'RUNNING',
    'att_1', 1)`);
  await dataSource.query(`INSERT INTO attempts (id, job_id, number, worker_id, state, engine, token_hash, lease_until, run_until)
    VALUES ('att_1', 'job_1', 1, 'wrk_1', 'RUNNING', 'cpu', 't', now() - interval '5 s', now() + interval '1 h')`);
  await standStill();
});

const standStill = () =>
  dataSource.query(`UPDATE installation SET expirer_passed_at = now() - interval '6 s'`);
const listen = () => dataSource.query('UPDATE installation SET expirer_passed_at = now()');
const stateOf = async (): Promise<string | undefined> =>
  (await dataSource.query<{ state: string }[]>(`SELECT state FROM attempts`))[0]?.state;

/** A server's own expirer; nobody listens to what it wakes. */
function expirer(): () => Promise<void> {
  const quiet = { jobChanged: () => undefined } as unknown as WakeUps;
  const changer = createJobChanger(database, quiet, timing, { outcomes: {}, causes: {} });
  const expired = { lease: 0, dispatch: 0, cancel: 0, run: 0 };
  const logger = {
    error: () => undefined,
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  };
  return createExpirer({ database, changer, pubsub: { isUp: true }, timing, expired, logger });
}

test('a server that sees another one’s pass sees the new deadlines too, even if that one does nothing more', async () => {
  const lengths = { leaseMs: timing.leaseMs, settleMs: 15_000, silentMs: silentMs(timing.leaseMs) };
  expect(await passExpirer(database, lengths)).toBe(true);
  await expirer()();
  expect(await stateOf()).toBe('RUNNING');
});

test('of many servers that wake at the same moment none ends an attempt', async () => {
  await Promise.all(Array.from({ length: 6 }, () => expirer()()));
  expect(await stateOf()).toBe('RUNNING');
});

test('a server that stood still between its look and its judgement ends nothing', async () => {
  const job = (await readJobFacts(database, ids.job))!;
  const failure = failureOf('WORKER_LOST', 'lost');
  const ending = { outcome: 'LOST', failure, reason: 'lost', slots: 'hold', passed: 'lease' } as const;
  const transition = endTransition(job, ending, [], 0)!;
  expect(await applyTransition(database, transition, timing)).toBeNull();
  expect(await stateOf()).toBe('RUNNING');
  await listen();
  expect(await applyTransition(database, transition, timing)).not.toBeNull();
  expect(await stateOf()).toBe('ENDED');
});

test('while servers listen, a lease that has passed ends its attempt', async () => {
  await listen();
  await expirer()();
  expect(await stateOf()).toBe('ENDED');
});

test('an attempt that its worker holds until a runner is ready is given its time anew; one that nobody names is not', async () => {
  await dataSource.query(
    `UPDATE attempts SET state = 'DISPATCHED', token_hash = NULL, enqueued_at = now() - interval '1 h'`,
  );
  const beat = { workerId: 'wrk_1', bootId: 'b', attempts: [], devices: [], probes: [], draining: false };
  const late = async () =>
    (await expiredAttempts(database, timing.dispatchMs)).map(({ deadline }) => deadline);
  await recordHeartbeat(database, { ...beat, waiting: ['att_2'] }, timing.leaseMs);
  expect(await late()).toEqual(['dispatch']);
  await recordHeartbeat(database, { ...beat, bootId: 'another', waiting: ['att_1'] }, timing.leaseMs);
  expect(await late()).toEqual(['dispatch']);
  await recordHeartbeat(database, { ...beat, waiting: ['att_1'] }, timing.leaseMs);
  expect(await late()).toEqual([]);
});
