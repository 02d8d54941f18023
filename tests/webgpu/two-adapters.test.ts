import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { softwareAdapters } from '@gjm/worker/testing/software-adapters.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { logOf, newUser, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

const drivers = softwareAdapters('swiftshader', 'lavapipe');
const kinds = ['SwiftShader', 'llvmpipe'] as const;

// Two software drivers are two real devices of Vulkan, and all that tells them apart is their name.
(drivers ? describe : describe.skip)('one worker with two Vulkan devices', () => {
  let bench: ServerBench;
  let worker: WorkerProcess;
  let client: NodeClient;
  let folder: string;
  /** Full names as the drivers give them, in the order of `kinds`. */
  let names: string[];

  beforeAll(async () => {
    bench = new ServerBench(sharedStack());
    folder = await mkdtemp(join(tmpdir(), 'gjm-adapters-'));
    const token = `gjmw_${randomBytes(32).toString('base64url')}`;
    const own = { GJM_DIAGNOSTIC_JOBS: '1', GJM_BOOTSTRAP_WORKER_TOKEN: token };
    const server = await bench.start({ ...(await bench.install()), ...fastTiming, ...own });
    client = await newUser(server.address);
    worker = spawnWorker(server.address, {
      ...drivers,
      GJM_WORKER_TOKEN: token,
      GJM_DATA_DIR: join(folder, 'worker'),
      GJM_ALLOW_SOFTWARE_GPU: '1',
      GJM_DIAGNOSTIC_JOBS: '1',
    });
    const ready = await until('both devices are offered', softwareDevices, 60_000);
    names = kinds.map((kind) => ready.find(({ name }) => name.startsWith(kind))?.name ?? '');
  }, 90_000);
  afterAll(async () => {
    client.close();
    worker.child.kill('SIGTERM');
    expect(await worker.exit).toBe(0);
    await bench.close();
    await rm(folder, { recursive: true });
  });

  async function softwareDevices() {
    const found = (await client.devices()).filter(({ kind }) => kind === 'SOFTWARE');
    const areReady = found.every(({ health, engines }) => health === 'OK' && engines.includes('webgpu'));
    return found.length === 2 && areReady ? found : null;
  }

  /** The adapter of each runner that was given one, from its environment. */
  async function pinnedAdapters(): Promise<string[]> {
    const pid = String(worker.child.pid);
    const children = (await readFile(join('/proc', pid, 'task', pid, 'children'), 'utf8')).trim().split(' ');
    const environments = children.map((child) => readFile(join('/proc', child, 'environ'), 'utf8'));
    const variables = (await Promise.all(environments)).flatMap((text) => text.split('\0'));
    return variables.flatMap((line) => /^GJM_RUNNER_ADAPTER=(.*)$/.exec(line)?.[1] ?? []);
  }

  const on = (name: string | undefined) => ({ deviceSelector: { name } });
  const isRunning = (id: string) =>
    until('it runs', async () => (await client.job(id))?.status === 'RUNNING', 20_000);

  test('each adapter is a device that computes with webgpu alone, and its runner has only that one', async () => {
    for (const name of names) {
      const device = (await client.devices()).find((found) => found.name === name);
      expect(device).toMatchObject({ kind: 'SOFTWARE', engines: ['webgpu'], health: 'OK' });
    }
    expect((await pinnedAdapters()).sort()).toEqual([...names].sort());
    const [{ engineAudit } = { engineAudit: [] }] = await client.workers();
    const said = engineAudit.filter(({ engine }) => engine === 'webgpu').map(({ message }) => message);
    for (const name of names)
      expect(said.filter((message) => message.startsWith(`Loaded on ${name} (`))).toHaveLength(1);
  });

  test('both enlarge a picture at once, to the same bytes', async () => {
    const bytes = await sharp({ create: { width: 6, height: 5, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const image = (await client.upload({ name: 'small.png', source: bytes, bytes: bytes.length })).id;
    const ids = await Promise.all(
      names.map(async (name) => {
        const input = { kind: 'image.upscale', params: { image, scale: 2 }, ...on(name) };
        return unwrap(await client.submit(input)).job.id;
      }),
    );
    const ends = await Promise.all(ids.map((id) => watchToEnd(client, id)));
    expect(ends.map((events) => statusesOf(events).at(-1))).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    const jobs = await Promise.all(ids.map((id) => client.job(id)));
    expect(jobs.map((job) => [job?.engine, job?.devices[0]?.name])).toEqual(
      names.map((name) => ['webgpu', name]),
    );
    for (const events of ends) expect(logOf(events)).toContain('on webgpu');
    const pictures = jobs.map((job, index) => {
      const path = join(folder, `${index}.png`);
      return client.downloadArtifact(job!.artifacts[0]!, path).then(() => readFile(path));
    });
    const [first, second] = await Promise.all(pictures);
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  }, 60_000);

  test('a crash on one leaves the job on the other alone', async () => {
    const [crashing, calm] = names;
    const long = await submitDiagnostic(client, { steps: 10_000, stepMs: 20 }, on(calm));
    await isRunning(long);
    const crash = await submitDiagnostic(client, { crash: true }, { ...on(crashing), maxAttempts: 1 });
    const events = await watchToEnd(client, crash);
    expect(statusesOf(events).at(-1)).toBe('FAILED');
    expect((await client.job(crash))?.failure?.code).toBe('RUNNER_CRASHED');
    const other = await client.job(long);
    expect(other).toMatchObject({ status: 'RUNNING' });
    expect(other?.attempts).toHaveLength(1);
    await until('the crashed runner is replaced', softwareDevices, 30_000);
    const after = await submitDiagnostic(client, {}, on(crashing));
    expect(statusesOf(await watchToEnd(client, after)).at(-1)).toBe('SUCCEEDED');
    unwrap(await client.cancel(long));
    expect(statusesOf(await watchToEnd(client, long)).at(-1)).toBe('CANCELLED');
  }, 60_000);
});
