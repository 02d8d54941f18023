import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { NodeClient } from '@gjm/client/node.js';
import { findFreePort } from '@gjm/stack/free-port.js';
import { sharedStack } from '../support/environment.js';
import { untilAtRest } from '../support/leftovers.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser } from '../support/user.js';
import { faultsOfJob, watchJob, type WatchedJob } from '../support/watched-jobs.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

/** How a process ends at its fault point. */
const died = 70;
const workerToken = `gjmw_${randomBytes(32).toString('base64url')}`;
const job = { steps: 2, artifactBytes: 1_000 };

/** One installation, whose server and worker die and come back on the same address and folder. */
let bench: ServerBench;
let env: Record<string, string>;
let url: string;
let worker: WorkerProcess;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const port = String(await findFreePort());
  env = { ...(await bench.install()), ...fastTiming, GJM_DIAGNOSTIC_JOBS: '1', GJM_PORT: port };
  env['GJM_BOOTSTRAP_WORKER_TOKEN'] = workerToken;
  url = `http://127.0.0.1:${port}`;
  worker = startWorker();
});
afterAll(async () => {
  await stop(worker);
  await bench.close();
});

const startServer = (fault?: string) => bench.start(fault ? { ...env, GJM_FAULT: `${fault}:exit` } : env);
const startWorker = (fault?: string) =>
  spawnWorker(url, {
    GJM_WORKER_TOKEN: workerToken,
    GJM_DATA_DIR: join(env['GJM_DATA_DIR'] ?? '', 'worker'),
    GJM_DIAGNOSTIC_JOBS: '1',
    ...(fault ? { GJM_FAULT: `${fault}:exit` } : {}),
  });

async function stop({ child, exit }: WorkerProcess): Promise<void> {
  child.kill('SIGTERM');
  await exit;
}

/** Lets a user work on a server that dies at `fault`, and stops the server that came in its place. */
async function onServer(
  fault: string | undefined,
  work: (client: NodeClient, server: ServerProcess) => Promise<ServerProcess>,
): Promise<void> {
  const server = await startServer(fault);
  const client = await newUser(url);
  try {
    const last = await work(client, server);
    await untilAtRest({ databaseUrl: env['DATABASE_URL'] ?? '' });
    last.kill('SIGTERM');
    expect(await last.exit).toEqual({ code: 0, signal: null });
  } finally {
    client.close();
  }
}

async function expectWhole(client: NodeClient, watched: WatchedJob): Promise<void> {
  await watched.ended;
  expect(faultsOfJob(watched)).toEqual([]);
  expect((await client.jobs({ first: 10 })).nodes).toHaveLength(1);
}

test.each([
  'after-submit-commit',
  'after-place-commit',
  'after-claim-commit',
  'before-artifact-rename',
  'after-finish-commit',
])('a server that dies at %s loses nothing and doubles nothing', (point) =>
  onServer(point, async (client, server) => {
    // The SDK sends a submit whose answer was lost again, with the same request id.
    const watching = watchJob(client, job);
    expect(await server.exit).toEqual({ code: died, signal: null });
    const next = await startServer();
    await expectWhole(client, await watching);
    return next;
  }),
);

test('a worker that dies at worker-after-pop loses nothing and doubles nothing', () =>
  onServer(undefined, async (client, server) => {
    await stop(worker);
    worker = startWorker('worker-after-pop');
    const watching = watchJob(client, job);
    expect(await worker.exit).toBe(died);
    worker = startWorker();
    await expectWhole(client, await watching);
    return server;
  }));

/** Every commit of a new job takes half a second, or fails when the job is called so. */
const slowCommits = `
CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN IF NEW.name = 'fails' THEN RAISE 'It fails.'; END IF; PERFORM pg_sleep(0.5); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit()`;

test('a submit is acted on after its commit only, and leaves nothing where that fails', () =>
  onServer(undefined, async (client, server) => {
    await query(slowCommits);
    try {
      const startedAt = performance.now();
      const watched = await watchJob(client, job);
      expect(performance.now() - startedAt).toBeGreaterThan(500);
      await expect(client.submit({ kind: 'diagnostic', params: {}, name: 'fails' })).rejects.toThrow();
      await expectWhole(client, watched);
    } finally {
      await query('DROP TRIGGER slow_commit ON jobs; DROP FUNCTION slow_commit');
    }
    return server;
  }));

async function query(sql: string): Promise<void> {
  const database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  await database.query(sql);
  await database.end();
}

test('a server that dies between the rows and the bytes of a deletion leaves the bytes to the next one', () =>
  onServer('after-delete-commit', async (client, server) => {
    const watched = await watchJob(client, job);
    await watched.ended;
    expect(await bytesOf(watched.id)).not.toEqual([]);
    await client.deleteJob(watched.id).catch(() => undefined); // its answer is lost with the server
    expect(await server.exit).toEqual({ code: died, signal: null });
    const next = await startServer();
    expect(await client.job(watched.id)).toBeNull();
    expect(await client.deleteJob(watched.id)).toMatchObject({ code: 'NOT_FOUND' });
    // The sweeper looks every 10 s; a server that starts looks at once.
    await until('no artifact is left on the disk', async () => (await bytesOf(watched.id)).length === 0);
    return next;
  }));

/** The files of a job that lie on the disk. */
async function bytesOf(jobId: string): Promise<string[]> {
  const folder = join(env['GJM_DATA_DIR'] ?? '', 'artifacts');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.parentPath.includes(jobId))
    .map(({ name }) => name);
}
