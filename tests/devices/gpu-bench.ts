import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import pg from 'pg';
import type { NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser } from '../support/user.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

type Device = Awaited<ReturnType<NodeClient['devices']>>[number];

/** A lease that a busy machine keeps: what is harmed here are devices. */
const timing = { ...fastTiming, GJM_LEASE_MS: '6000', GJM_DISPATCH_MS: '4000' };

/** A real server, and real workers on machines whose GPUs are only described. */
export class GpuBench {
  readonly #bench = new ServerBench(sharedStack());
  readonly #workers: WorkerProcess[] = [];
  readonly #token = `gjmw_${randomBytes(32).toString('base64url')}`;
  #folder = '';
  #databaseUrl = '';
  #address = '';
  #client: NodeClient | null = null;

  /** `env` goes to the server, beside its own. */
  static async open(env: Record<string, string> = {}): Promise<GpuBench> {
    const made = new GpuBench();
    const installed = await made.#bench.install();
    made.#folder = installed['GJM_DATA_DIR'] ?? '';
    made.#databaseUrl = installed['DATABASE_URL'] ?? '';
    const own = { GJM_DIAGNOSTIC_JOBS: '1', GJM_BOOTSTRAP_WORKER_TOKEN: made.#token };
    made.#address = (await made.#bench.start({ ...installed, ...timing, ...own, ...env })).address;
    made.#client = await newUser(made.#address);
    return made;
  }

  get client(): NodeClient {
    if (!this.#client) throw new Error('The bench is closed, or was never open.');
    return this.#client;
  }

  /** Starts a worker of this name whose GPUs are what `smi` says; its GPUs compute as its CPU would. */
  startWorker(
    name: string,
    smi: string,
    env: Record<string, string> = {},
    main?: { main: string },
  ): WorkerProcess {
    const variables = {
      ...{ GJM_WORKER_TOKEN: this.#token, GJM_WORKER_NAME: name, GJM_NVIDIA_SMI: smi },
      ...{ GJM_DATA_DIR: join(this.#folder, name), GJM_PROBE_MS: '200', GJM_PACKAGES_DIR: '/nowhere' },
      ...{ GJM_DIAGNOSTIC_JOBS: '1', GJM_DIAGNOSTIC_GPU_ENGINE: 'wasm' },
      ...env,
    };
    const worker = spawnWorker(this.#address, variables, main);
    this.#workers.push(worker);
    return worker;
  }

  /** The worker ends by itself, without an error. */
  async stopWorker(worker: WorkerProcess): Promise<void> {
    worker.child.kill('SIGTERM');
    expect(await worker.exit).toBe(0);
    this.#workers.splice(this.#workers.indexOf(worker), 1);
  }

  async devicesOf(worker: string): Promise<Device[]> {
    return (await this.client.devices()).filter((device) => device.worker.name === worker);
  }

  async device(uid: string): Promise<Device | undefined> {
    return (await this.client.devices()).find((found) => found.uid === uid);
  }

  /** Waits until a device is so, and says so; its worker is online all the while. */
  becomes(uid: string, health: string, reason = /.*/): Promise<Device> {
    const find = async () => {
      const found = await this.device(uid);
      return found?.health === health && reason.test(found.healthReason ?? '') ? found : null;
    };
    return until(`${uid} is ${health}`, find, 20_000);
  }

  healthy(...uids: string[]): Promise<Device[]> {
    return Promise.all(uids.map((uid) => this.becomes(uid, 'OK')));
  }

  /** Waits until the job runs, and gives the names of its devices. */
  async running(jobId: string): Promise<string[]> {
    const job = await until(
      `${jobId} runs`,
      async () => {
        const found = await this.client.job(jobId);
        return found?.status === 'RUNNING' ? found : null;
      },
      10_000,
    );
    return job.devices.map(({ name }) => name);
  }

  async attemptsOf(jobId: string) {
    return (await this.client.job(jobId))?.attempts ?? [];
  }

  /** What is counted of a job and not shown: attempts, and how many of them are held against it. */
  async countersOf(jobId: string): Promise<{ attempts: number; countedFailures: number }> {
    const client = new pg.Client(this.#databaseUrl);
    await client.connect();
    const { rows } = await client.query<{ attempts: number; countedFailures: number }>(
      'SELECT attempt_count AS attempts, counted_failures AS "countedFailures" FROM jobs WHERE id = $1',
      [jobId],
    );
    await client.end();
    return rows[0]!;
  }

  async close(): Promise<void> {
    this.#client?.close();
    for (const worker of [...this.#workers]) await this.stopWorker(worker);
    await this.#bench.close();
  }
}

/** The variables of each process that was started for this device, as the kernel has them. */
export function childrenOn(uid: string): string[][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
        return variables.includes(`GJM_RUNNER_DEVICE_UID=${uid}`) ? [variables] : [];
      } catch {
        return []; // ended meanwhile, or another user's
      }
    });
}
