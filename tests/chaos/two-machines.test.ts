import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { submitDiagnostic, watchToEnd, statusesOf } from '../support/user.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';

/** Where the second machine is: an address of its own, as far as one box has two. */
const secondAddress = '127.0.0.2';

let stack: Stack;
let bench: ServerBench;
/** The server of the second machine. */
let second: ServerProcess;
/** Signed in at the first and the second server. */
let clients: NodeClient[];
let joined: ChildProcess;
let folder: string;

beforeAll(async () => {
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-two-${process.pid}`),
    port: 0,
    workers: 1,
    diagnosticJobs: true,
    keepAlive: true,
    disposable: true,
    env: fastTiming,
    workerEnv: { GJM_WORKER_NAME: 'first-machine' },
  });
  folder = await mkdtemp(join(tmpdir(), 'gjm-second-'));
  bench = new ServerBench(stack, stack.secrets.serverKey);
  const server = await startSecondServer();
  second = server;
  const admin = createClient({ url: stack.url });
  const { accessToken } = unwrap(await admin.redeemSignInLink(stack.signInToken));
  clients = [admin, createClient({ url: server.address, accessToken })];
  joined = await joinSecondWorker(server.address);
}, 30_000);
afterAll(async () => {
  if (joined.exitCode === null && joined.signalCode === null) {
    joined.kill('SIGTERM');
    await once(joined, 'exit');
  }
  for (const client of clients) client.close();
  await bench.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** What replicas share: database, Redis, key and artifact folder. All else is the second machine's own. */
const startSecondServer = () =>
  bench.start({
    ...fastTiming,
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    GJM_SECRET: stack.secrets.serverKey,
    GJM_ARTIFACT_DIR: stack.folder.artifacts,
    GJM_DATA_DIR: join(folder, 'server'),
    GJM_HOST: secondAddress,
    GJM_DIAGNOSTIC_JOBS: '1',
  });

/** What `npm run worker` runs: an address and a token, nothing else; its state in a folder of its own, its name the host's. */
async function joinSecondWorker(address: string): Promise<ChildProcess> {
  const { token } = unwrap(await clients[1]!.createWorkerToken('the second machine'));
  const command = ['worker/dist/index.js', '--server', address, '--token', token];
  const env = { PATH: '/usr/bin:/bin:/usr/local/bin', HOME: folder, GJM_DATA_DIR: join(folder, 'worker') };
  const worker = spawn(process.execPath, command, { cwd: cloneRoot, env, stdio: 'ignore', detached: true });
  const isOnline = async () =>
    (await clients[0]!.workers()).some(({ name, online }) => name === hostname() && online);
  await until('the second machine is online', isOnline, 15_000);
  return worker;
}

test('the second machine has an address of its own, and only what replicas share', async () => {
  expect(new URL(clients[1]!.url).hostname).toBe(secondAddress);
  await expect(fetch(clients[1]!.url.replace(secondAddress, '127.0.0.1'))).rejects.toThrow();
  expect((await clients[1]!.workers()).map(({ name, online }) => [name, online])).toEqual(
    expect.arrayContaining([
      ['first-machine', true],
      [hostname(), true],
    ]),
  );
});

test('a job submitted at one server is watched at the other, and both machines get work', async () => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, () => submitDiagnostic(clients[0]!, { steps: 5, stepMs: 40 })),
  );
  const watched = await Promise.all(ids.map((id) => watchToEnd(clients[1]!, id)));
  expect(watched.map((events) => statusesOf(events).at(-1))).toEqual(ids.map(() => 'SUCCEEDED'));
  const jobs = await Promise.all(ids.map((id) => clients[1]!.job(id)));
  const devices = new Set(jobs.flatMap((job) => job?.devices.map((device) => device.id)));
  expect(devices.size).toBe(2);
});

test('of two servers the one that would tick stands still: the other places', async () => {
  stack.kill('server', 'SIGSTOP');
  try {
    const id = await submitDiagnostic(clients[1]!, {});
    expect(statusesOf(await watchToEnd(clients[1]!, id)).at(-1)).toBe('SUCCEEDED');
  } finally {
    stack.kill('server', 'SIGCONT');
  }
});

test('a machine is killed: its jobs move to the other one', async () => {
  const jobs = await Promise.all([0, 1].map(() => watchJob(clients[1]!, { steps: 30, stepMs: 50 })));
  await until('both run', async () => {
    const states = await Promise.all(jobs.map(({ id }) => clients[1]!.job(id)));
    return states.every((job) => job?.status === 'RUNNING');
  });
  process.kill(-joined.pid!, 'SIGKILL');
  await Promise.all(jobs.map((job) => job.ended));
  expect(jobs.flatMap(faultsOfJob)).toEqual([]);
  const outcomes = await Promise.all(
    jobs.map(async ({ id }) => (await clients[1]!.job(id))?.attempts.map((attempt) => attempt.outcome)),
  );
  expect(outcomes.sort()).toEqual([['LOST', 'SUCCEEDED'], ['SUCCEEDED']]);
  await until('it is shown offline', async () =>
    (await clients[1]!.workers()).some((worker) => worker.name === hostname() && !worker.online),
  );
});

test('the whole stack stands still for longer than a lease and goes on: the same attempts go on', async () => {
  const job = await watchJob(clients[0]!, { steps: 40, stepMs: 50 });
  await until('it makes progress', () => job.events.some((event) => event.__typename === 'JobProgressEvent'));
  const parts = Object.keys(stack.pids());
  second.kill('SIGSTOP');
  for (const name of parts) stack.kill(name, 'SIGSTOP');
  await delay(2_500);
  for (const name of parts.reverse()) stack.kill(name, 'SIGCONT');
  second.kill('SIGCONT');
  await job.ended;
  expect(faultsOfJob(job)).toEqual([]);
  expect((await clients[0]!.job(job.id))?.attempts).toHaveLength(1);
  // The slot of the machine that was killed stays held until it says hello; all else is at rest.
  await until(
    'no job is alive',
    async () => (await clients[0]!.jobs({ filter: { status: ['QUEUED', 'RUNNING'] } })).nodes.length === 0,
  );
});
