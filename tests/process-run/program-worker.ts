import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimAnswer, FinishRequest, HelloRequest } from '@gjm/core/wire/worker-api.js';
import { connectRedis } from '@gjm/server/pubsub/connect-redis.js';
import { createSlotQueues } from '@gjm/server/queue/slot-queues.js';
import { until } from '@gjm/worker/testing/until.js';
import { startWireServer, type WireServer } from '@gjm/worker/testing/wire-server.js';
import { sharedStack } from '../support/environment.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

type Granted = Extract<ClaimAnswer, { granted: true }>;

/** What is submitted beside a command. */
interface Errand {
  params?: object;
  slot?: number;
  claim?: Partial<Granted>;
  traceId?: string | null;
}

let made = 0;

/** A worker process that runs programs, with real Redis and real HTTP; the server's side of the wire is played by the test. */
export class ProgramWorker {
  readonly folder = mkdtempSync(join(tmpdir(), 'gjm-programs-'));
  readonly #prefix = `programs-${process.pid}-${(made += 1)}`;
  readonly #redis = connectRedis(sharedStack().redisUrl, 'commands');
  readonly #queues = createSlotQueues(this.#redis, this.#prefix);
  readonly #workers: WorkerProcess[] = [];
  #count = 0;

  private constructor(
    readonly server: WireServer,
    readonly graceMs: number,
  ) {
    server.hello = (request: HelloRequest) => ({
      workerId: 'wrk_test',
      slots: request.devices.flatMap(({ uid, slots }) =>
        Array.from({ length: slots }, (_, index) => ({ uid, index, queueName: this.#queueOf(index) })),
      ),
      redis: { url: sharedStack().redisUrl, prefix: this.#prefix },
      ...{ heartbeatMs: 200, leaseMs: 2_000, graceMs, orphanMs: 600_000 },
    });
  }

  static async open(graceMs = 500): Promise<ProgramWorker> {
    return new ProgramWorker(await startWireServer(), graceMs);
  }

  /** Starts a worker with these variables beside its own; resolves when it beats. */
  async start(env: Record<string, string> = {}, uid?: number): Promise<WorkerProcess> {
    const beats = this.server.beats.length;
    const worker = this.spawn(env, uid);
    await until(() => this.server.beats.length > beats, 'the first beat', 30_000);
    return worker;
  }

  spawn(env: Record<string, string> = {}, uid?: number): WorkerProcess {
    const main = 'tests/dist/process-run/light-worker.js';
    const variables = {
      ...{
        GJM_WORKER_TOKEN: secretToken,
        GJM_DATA_DIR: this.folder,
        GJM_ALLOW_PROCESS_RUN: '1',
        GJM_NVIDIA_SMI: 'none',
      },
      ...env,
    };
    const worker = spawnWorker(this.server.url, variables, uid === undefined ? { main } : { main, uid });
    this.#workers.push(worker);
    return worker;
  }

  /** Puts a program into a slot's queue and returns its attempt's id. */
  async submit(
    command: string[],
    { params = {}, slot = 0, claim = {}, traceId = null }: Errand = {},
  ): Promise<string> {
    const attemptId = `att_${(this.#count += 1)}`;
    const jobId = `job_${this.#count}`;
    this.server.claims.set(attemptId, {
      ...{ granted: true, jobId, attemptNumber: 1, ownerId: 'usr_1', kind: 'process.run', tier: null },
      ...{
        params: { command, env: {}, expect: [], ...params },
        engine: 'process',
        inputs: [],
        checkpoints: [],
      },
      ...{ devices: [], runMs: 60_000, leaseMs: 2_000, graceMs: this.graceMs },
      ...claim,
    });
    const message = { type: 'attempt', attemptId, jobId, traceId } as const;
    await this.#queues.enqueue({ deviceId: 'dev_test', index: slot }, attemptId, message);
    return attemptId;
  }

  async endOf(attemptId: string): Promise<FinishRequest> {
    const find = () => this.server.finishes.find((finish) => finish.attemptId === attemptId);
    await until(() => find() !== undefined, `the end of ${attemptId}`, 20_000);
    return find() as FinishRequest;
  }

  /** Runs a program to its end. */
  async run(command: string[], options: Parameters<ProgramWorker['submit']>[1] = {}): Promise<Ran> {
    const attemptId = await this.submit(command, options);
    const finish = await this.endOf(attemptId);
    return {
      attemptId,
      finish,
      stdout: this.textOf(attemptId, 'STDOUT'),
      stderr: this.textOf(attemptId, 'STDERR'),
    };
  }

  textOf(attemptId: string, stream: 'STDOUT' | 'STDERR'): string {
    const items = this.server.items(attemptId);
    return items.map((item) => (item.type === 'log' && item.stream === stream ? item.text : '')).join('');
  }

  /** Resolves when the program has written this to stdout. */
  async saying(attemptId: string, text: string): Promise<void> {
    await until(() => this.textOf(attemptId, 'STDOUT').includes(text), `${attemptId} to say ${text}`, 15_000);
  }

  /** Resolves when the server has been given this artifact. */
  async storing(attemptId: string, name: string): Promise<void> {
    await until(() => name in this.artifacts(attemptId), `${name} of ${attemptId}`, 15_000);
  }

  /** A file for an attempt, as its claim names it. */
  input(field: string, bytes: Buffer): Pick<Granted, 'inputs'> {
    return { inputs: [{ field, ...this.#offer(bytes) }] };
  }

  /** A checkpoint of an earlier attempt, as a claim names it. */
  checkpoint(bytes: Buffer): Pick<Granted, 'checkpoints'> {
    return { checkpoints: [{ attempt: 1, ...this.#offer(bytes) }] };
  }

  /** Makes an empty file in the folder that the one running program started in. */
  touch(name: string): void {
    for (const folder of this.programFolders()) writeFileSync(join(folder, 'work', name), '');
  }

  /** Folders of programs, less what only waits to be removed. */
  programFolders(): string[] {
    const programs = join(this.folder, 'programs');
    const names = readdirSync(programs).filter((name) => name !== 'removed');
    return names.map((name) => join(programs, name));
  }

  cancel(attemptId: string): void {
    this.server.cancelListed.add(attemptId);
    this.server.poke();
  }

  /** Bytes of an attempt's artifacts, by role and name. */
  artifacts(attemptId: string): Record<string, Buffer> {
    const own = this.server.artifacts.filter((artifact) => artifact.attemptId === attemptId);
    return Object.fromEntries(own.map(({ query, bytes }) => [`${query['role']} ${query['name']}`, bytes]));
  }

  async close(): Promise<void> {
    for (const { child, exit } of this.#workers) {
      child.kill('SIGTERM');
      await exit;
    }
    this.#redis.disconnect();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #offer(bytes: Buffer) {
    const fileId = `upl_${(this.#count += 1)}`;
    this.server.inputs.set(fileId, bytes);
    return { fileId, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  #queueOf = (index: number): string => this.#queues.nameOf({ deviceId: 'dev_test', index });
}

/** What a program must not get to see. */
export const secretToken = 'gjmw_a-secret-of-the-worker';

export interface Ran {
  attemptId: string;
  finish: FinishRequest;
  stdout: string;
  stderr: string;
}

/** A user of this test file's own, since a machine's workers must not share one. */
export const runAs = (file: string): string => `gjm-test-${file}`;

/** Removes the users that workers have made for it and its slots. */
export function removeUsers(user: string, slots = 2): void {
  for (let slot = 0; slot < slots; slot += 1) spawnSync('userdel', [slot === 0 ? user : `${user}-${slot}`]);
}

/** Without it there is no other user to run programs as. */
export const isSuperuser = process.getuid?.() === 0;
export const skipReason = isSuperuser ? '' : ' (skipped: these tests must run as root)';
