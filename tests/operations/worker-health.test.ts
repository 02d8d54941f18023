import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

const bench = new ServerBench(sharedStack());
let folder: string;
let server: ServerProcess;
let worker: WorkerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-health-'));
  const token = `gjmw_${randomBytes(24).toString('hex')}`;
  const started = await bench.start({
    ...(await bench.install()),
    ...fastTiming,
    GJM_BOOTSTRAP_WORKER_TOKEN: token,
  });
  server = started;
  worker = spawnWorker(started.address, { GJM_WORKER_TOKEN: token, GJM_DATA_DIR: folder });
}, 30_000);
afterAll(async () => {
  worker.child.kill('SIGKILL');
  await worker.exit;
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

const read = (path: string): string => readFileSync(join(cloneRoot, path), 'utf8');

interface Probed {
  terminationGracePeriodSeconds: number;
  containers: {
    env: { name: string; value?: string }[];
    livenessProbe: { exec: { command: string[] } };
    readinessProbe: { exec: { command: string[] } };
  }[];
}
const pod = (parse(read('deploy/kubernetes/worker.yaml')) as { spec: { template: { spec: Probed } } }).spec
  .template.spec;
const container = pod.containers[0]!;

/** The exit code of a check, started as a container does: with what the image has. */
const check = ([program = '', ...args]: string[]): Promise<number> =>
  new Promise((resolve) => {
    const command = program === 'node' ? process.execPath : program;
    const options = { cwd: cloneRoot, env: { GJM_DATA_DIR: folder } };
    execFile(command, args, options, (error) => resolve(error ? Number(error.code) : 0));
  });

test('the checks of the images, of Compose and of Kubernetes follow a worker through its life', async () => {
  const alive = container.livenessProbe.exec.command;
  const answered = container.readinessProbe.exec.command;
  const becomes = (code: number) =>
    until(`the check gives ${code}`, async () => (await check(answered)) === code, 10_000);
  await until('it is ready', () => worker.output().includes('"msg":"worker ready"'), 30_000);
  expect([await check(alive), await check(answered)]).toEqual([0, 0]);
  // A server that is away is no reason to end what runs.
  server.kill('SIGSTOP');
  await becomes(1);
  expect(await check(alive)).toBe(0);
  server.kill('SIGCONT');
  await becomes(0);
  worker.child.kill('SIGTERM');
  expect(await worker.exit).toBe(0);
  expect([await check(alive), await check(answered)]).toEqual([1, 1]);
  expect(await check([...alive, 'more'])).toBe(2);
}, 60_000);

test('the images and Compose ask as Kubernetes does', () => {
  const { command } = container.readinessProbe.exec;
  for (const name of ['worker', 'worker-gpu']) {
    const [, asked = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(read(`deploy/${name}.Dockerfile`)) ?? [];
    expect(JSON.parse(asked)).toEqual(command);
  }
  const compose = parse(read('docker-compose.yml')) as {
    services: { worker: { healthcheck: { test: string[] } } };
  };
  expect(compose.services.worker.healthcheck.test).toEqual(['CMD', ...command]);
});

/** What a worker may take to stop beside its drain: the grace of its server, by default, and what Worker.closeLimitMs adds. */
const stopMs = 5_000 + 3 * 5_000 + 2_000;

test('a worker that drains is not killed before it is done', () => {
  const drainMs = Number(container.env.find(({ name }) => name === 'GJM_DRAIN_MS')?.value);
  expect(drainMs).toBeGreaterThan(0);
  expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(drainMs + stopMs);
  const example = read('deploy/compose.env.example');
  const seconds = Number(/^GJM_WORKER_STOP_GRACE=(\d+)s$/m.exec(example)?.[1]);
  expect(seconds * 1_000).toBeGreaterThanOrEqual(Number(/^GJM_DRAIN_MS=(\d+)$/m.exec(example)?.[1]) + stopMs);
  expect(read('docker-compose.yml')).toContain(`stop_grace_period: \${GJM_WORKER_STOP_GRACE:-${seconds}s}`);
});
