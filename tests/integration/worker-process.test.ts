import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ClaimAnswer, FinishRequest } from '@gjm/core/wire/worker-api.js';
import { connectRedis } from '@gjm/server/pubsub/connect-redis.js';
import { createSlotQueues } from '@gjm/server/queue/slot-queues.js';
import { isGroupAlive } from '@gjm/worker/child/process-group.js';
import { until } from '@gjm/worker/testing/until.js';
import { startWireServer, type WireServer } from '@gjm/worker/testing/wire-server.js';
import { startRedis, type RedisOfOurOwn } from '../support/redis-of-our-own.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

const deviceId = 'dev_test';

/** A worker process with its real runner, real Redis and real HTTP; only the server's side of the wire is played. */
describe('worker process', () => {
  let redis: RedisOfOurOwn;
  let client: ReturnType<typeof connectRedis>;
  let queues: ReturnType<typeof createSlotQueues>;
  let server: WireServer;
  let folder: string;
  let workers: ChildProcess[];
  let orphanMs: number;
  let heartbeatMs: number;
  let count = 0;

  beforeAll(async () => {
    redis = await startRedis();
    client = connectRedis(redis.url, 'commands');
    queues = createSlotQueues(client, 'process');
  });

  afterAll(async () => {
    client.disconnect();
    await redis.close();
  });

  async function setUp() {
    folder = mkdtempSync(join(tmpdir(), 'gjm-worker-'));
    workers = [];
    orphanMs = 600_000;
    heartbeatMs = 200;
    server = await startWireServer();
    server.hello = ({ devices }) => ({
      workerId: 'wrk_test',
      slots: devices.map(({ uid }) => ({ uid, index: 0, queueName: queues.nameOf({ deviceId, index: 0 }) })),
      redis: { url: redis.url, prefix: 'process' },
      ...{ heartbeatMs, leaseMs: 2_000, graceMs: 500, orphanMs },
    });
  }

  async function tearDown() {
    for (const worker of workers) {
      if (worker.exitCode !== null || worker.signalCode !== null) continue;
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function startWorker(env: Record<string, string> = {}) {
    const own = {
      ...{ GJM_WORKER_TOKEN: 'gjmw_test-secret', GJM_DATA_DIR: folder },
      // The claims name wasm, whatever has been set up on this machine.
      GJM_PACKAGES_DIR: join(folder, 'no-packages'),
    };
    const worker = spawnWorker(server.url, { ...own, ...env });
    workers.push(worker.child);
    return worker;
  }

  async function startReadyWorker(env?: Record<string, string>) {
    const beats = server.beats.length;
    const worker = startWorker(env);
    await until(() => server.beats.length > beats, 'the first beat', 30_000);
    return worker;
  }

  /** Puts a diagnostic job into the slot's queue and returns its attempt's id. */
  async function submit(params: Record<string, unknown>, claim: Partial<ClaimAnswer> = {}): Promise<string> {
    const attemptId = `att_${(count += 1)}`;
    const granted: Extract<ClaimAnswer, { granted: true }> = {
      granted: true,
      ...{ jobId: `job_${count}`, attemptNumber: 1, ownerId: 'usr_1', kind: 'diagnostic', params },
      ...{ engine: 'wasm', tier: null, inputs: [], checkpoints: [], devices: [] },
      ...{ runMs: 60_000, leaseMs: 2_000, graceMs: 500 },
    };
    server.claims.set(attemptId, { ...granted, ...claim } as ClaimAnswer);
    const message = { type: 'attempt', attemptId, jobId: `job_${count}`, traceId: 'trace' } as const;
    await queues.enqueue({ deviceId, index: 0 }, attemptId, message);
    return attemptId;
  }

  async function endOf(attemptId: string): Promise<FinishRequest> {
    const find = () => server.finishes.find((finish) => finish.attemptId === attemptId);
    await until(() => find() !== undefined, `the end of ${attemptId}`, 15_000);
    return find() as FinishRequest;
  }

  const isRunning = (attemptId: string) =>
    until(() => server.beats.at(-1)?.attempts[0]?.attemptId === attemptId, `${attemptId} to run`);

  const runnerPids = () => readdirSync(join(folder, 'run')).map((name) => Number(/\d+/.exec(name)?.[0]));

  describe('that goes on', () => {
    let worker: WorkerProcess;
    beforeAll(async () => {
      await setUp();
      worker = await startReadyWorker();
    }, 30_000);
    afterAll(tearDown);

    test('an empty job costs a claim and a finish, and a poke cancels at once', async () => {
      const empty = await submit({});
      expect(await endOf(empty)).toMatchObject({ outcome: 'SUCCEEDED', engine: 'wasm', deviceClean: true });
      expect(server.items(empty).at(-1)).toMatchObject({ type: 'progress', fraction: 1 });
      expect([server.calls('claim'), server.calls('finish'), server.calls('report')]).toEqual([1, 1, 0]);

      const long = await submit({ steps: 1_000, stepMs: 50 });
      await isRunning(long);
      server.answer = { cancel: [long], lost: [] };
      server.poke();
      expect(await endOf(long)).toMatchObject({ outcome: 'CANCELLED', deviceClean: true });
      server.answer = { cancel: [], lost: [] };
    });

    test('what a job made and printed arrives whole, through an absence of the server', async () => {
      server.loseAnswers('finish', 1);
      const job = await submit({ logLines: 20_000, artifactBytes: 1_000_000, steps: 10, stepMs: 50 });
      await isRunning(job);
      server.isAway = true;
      const reports = server.calls('report');
      await until(() => server.calls('report') > reports + 1, 'calls into the void');
      server.isAway = false;
      const end = await endOf(job);
      const text = server
        .items(job)
        .map((item) => (item.type === 'log' ? item.text : ''))
        .join('');
      expect(text).toBe(Array.from({ length: 20_000 }, (_, i) => `line ${i + 1}\n`).join(''));
      const made = server.artifacts.filter(({ attemptId }) => attemptId === job);
      const result = made.find(({ query }) => query['role'] === 'RESULT');
      expect(result?.bytes).toHaveLength(1_000_000);
      expect(end.artifacts).toHaveLength(1);
      expect(made.map(({ query }) => query['name'])).toContain('stdout.log');
    });

    test('an attempt that belongs to nobody any more is ended without a word, and the slot goes on', async () => {
      const job = await submit({ hang: true });
      await isRunning(job);
      server.answer = { cancel: [], lost: [job] };
      await until(() => server.beats.at(-1)?.attempts.length === 0, 'the attempt to be gone');
      server.answer = { cancel: [], lost: [] };
      const next = await submit({});
      expect(await endOf(next)).toMatchObject({ outcome: 'SUCCEEDED' });
      expect(server.finishes.map((finish) => finish.attemptId)).not.toContain(job);
    });

    test('a stopped process does not count the time it was stopped', async () => {
      const job = await submit({ steps: 20, stepMs: 100 }, { runMs: 3_000 });
      await isRunning(job);
      worker.child.kill('SIGSTOP');
      const stoppedAt = performance.now();
      await until(() => performance.now() - stoppedAt > 3_500, 'the stop to last longer than the limit');
      worker.child.kill('SIGCONT');
      expect(await endOf(job)).toMatchObject({ outcome: 'SUCCEEDED' });
    });

    test('a crash names its signal, and the next job finds a new runner', async () => {
      const crash = await endOf(await submit({ crash: true, logLines: 3 }));
      expect(crash).toMatchObject({
        outcome: 'FAILED',
        failure: { code: 'RUNNER_CRASHED' },
        deviceClean: true,
      });
      expect(crash.failure?.message).toContain('SIGABRT');
      expect(await endOf(await submit({}))).toMatchObject({ outcome: 'SUCCEEDED' });
    });
  });

  describe('that starts or ends', () => {
    beforeEach(setUp);
    afterEach(tearDown);

    test('a cancel between the commit of a claim and its answer is heard at once', async () => {
      heartbeatMs = 10_000;
      await startReadyWorker();
      const first = await submit({});
      await endOf(first);
      server.delayAnswerMs = { name: 'claim', ms: 300 };
      const job = await submit({ steps: 1_000, stepMs: 50 });
      await until(() => server.calls('claim') === 2, 'the claim');
      const beats = server.beats.length;
      server.cancelListed.add(job);
      server.poke();
      await until(() => server.beats.length > beats, 'a beat that can not name the attempt yet');
      const pokedAt = performance.now();
      expect(await endOf(job)).toMatchObject({ outcome: 'CANCELLED' });
      expect(performance.now() - pokedAt).toBeLessThan(2_000);
    });

    test('a doubled signal releases the attempt once, and the worker leaves nothing behind', async () => {
      const worker = await startReadyWorker();
      const job = await submit({ steps: 1_000, stepMs: 50 });
      await isRunning(job);
      const [runner = 0] = runnerPids();
      worker.child.kill('SIGTERM');
      worker.child.kill('SIGTERM');
      expect(await worker.exit).toBe(0);
      expect(await endOf(job)).toMatchObject({ outcome: 'RELEASED' });
      expect(isGroupAlive(runner)).toBe(false);
      expect(server.beats.at(-1)?.draining).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(['instance-id', 'run', 'scratch']);
      expect(worker.output()).not.toContain('test-secret');
    });

    test('a draining worker lets its attempt finish first', async () => {
      const worker = await startReadyWorker({ GJM_DRAIN_MS: '10000' });
      const job = await submit({ steps: 20, stepMs: 50 });
      await isRunning(job);
      worker.child.kill('SIGTERM');
      expect(await worker.exit).toBe(0);
      expect(await endOf(job)).toMatchObject({ outcome: 'SUCCEEDED' });
    });

    test('without an answered beat for too long its children are ended, and it comes back with the server', async () => {
      orphanMs = 1_000;
      await startReadyWorker();
      const job = await submit({ hang: true });
      await isRunning(job);
      server.isAway = true;
      await until(() => runnerPids().length === 0, 'the children to be ended');
      server.isAway = false;
      const next = await submit({});
      expect(await endOf(next)).toMatchObject({ outcome: 'SUCCEEDED' });
      expect(server.finishes.map((finish) => finish.attemptId)).not.toContain(job);
    });

    test('a killed worker takes its busy runner along, and its next life takes the message that was popped', async () => {
      const first = await startReadyWorker();
      const busy = await submit({ hang: true });
      await isRunning(busy);
      const [runner = 0] = runnerPids();
      first.child.kill('SIGKILL');
      await first.exit;
      await until(() => !isGroupAlive(runner), 'the runner to be gone');

      const second = await startReadyWorker({ GJM_DIAGNOSTIC_JOBS: '1', GJM_FAULT: 'worker-after-pop:exit' });
      const popped = await submit({});
      expect(await second.exit).toBe(70);
      await startReadyWorker();
      expect(await endOf(popped)).toMatchObject({ outcome: 'SUCCEEDED' });
      expect(new Set(server.hellos.map((hello) => hello.instanceId)).size).toBe(1);
      expect(new Set(server.hellos.map((hello) => hello.bootId)).size).toBe(3);
    });

    test('a folder in use and a bad token are refused in words', async () => {
      const first = await startReadyWorker();
      const second = startWorker();
      expect(await second.exit).toBe(1);
      expect(second.output()).toMatch(/Another worker runs with the data folder/);
      server.status = 401;
      expect(await first.exit).toBe(1);
      expect(first.output()).toMatch(/does not accept this worker's token/);
    });
  });
});
