import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { submitDiagnostic, watchToEnd, statusesOf } from '../support/user.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';

let stack: Stack;
/** Signed in at the first and the second server. */
let clients: NodeClient[];
let joined: ChildProcess;
let folder: string;

beforeAll(async () => {
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-two-${process.pid}`),
    port: 0,
    servers: 2,
    workers: 1,
    diagnosticJobs: true,
    keepAlive: true,
    disposable: true,
    env: fastTiming,
  });
  const [first = '', second = ''] = stack.urls;
  const admin = createClient({ url: first });
  const { accessToken } = unwrap(await admin.redeemSignInLink(stack.signInToken));
  clients = [admin, createClient({ url: second, accessToken })];
  folder = await mkdtemp(join(tmpdir(), 'gjm-joined-'));
  // What `npm run worker` runs: an address and a token, nothing else; its state in a folder of its own.
  const { token } = unwrap(await admin.createWorkerToken('the second machine'));
  const command = ['worker/dist/index.js', '--server', second, '--token', token];
  const env = {
    PATH: '/usr/bin:/bin:/usr/local/bin',
    HOME: folder,
    GJM_DATA_DIR: folder,
    GJM_WORKER_NAME: 'second-machine',
  };
  joined = spawn(process.execPath, command, { cwd: cloneRoot, env, stdio: 'ignore', detached: true });
  await until(
    'the second machine is online',
    async () => (await admin.workers()).some((worker) => worker.name === 'second-machine' && worker.online),
    15_000,
  );
});
afterAll(async () => {
  if (joined.exitCode === null && joined.signalCode === null) {
    joined.kill('SIGTERM');
    await once(joined, 'exit');
  }
  for (const client of clients) client.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
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
    (await clients[1]!.workers()).some((worker) => worker.name === 'second-machine' && !worker.online),
  );
});

test('the whole stack stands still for longer than a lease and goes on: the same attempts go on', async () => {
  const job = await watchJob(clients[0]!, { steps: 40, stepMs: 50 });
  await until('it makes progress', () => job.events.some((event) => event.__typename === 'JobProgressEvent'));
  const parts = Object.keys(stack.pids());
  for (const name of parts) stack.kill(name, 'SIGSTOP');
  await delay(2_500);
  for (const name of parts.reverse()) stack.kill(name, 'SIGCONT');
  await job.ended;
  expect(faultsOfJob(job)).toEqual([]);
  expect((await clients[0]!.job(job.id))?.attempts).toHaveLength(1);
  // The slot of the machine that was killed stays held until it says hello; all else is at rest.
  await until(
    'no job is alive',
    async () => (await clients[0]!.jobs({ filter: { status: ['QUEUED', 'RUNNING'] } })).nodes.length === 0,
  );
});
