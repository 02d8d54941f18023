import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunnerUnderTest, startRunner, within } from '../runner/runner-under-test.js';
import { drawPicture } from '../workloads/image/picture-under-test.js';

let folder: string;
const started: RunnerUnderTest[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-runner-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((runner) => runner.close()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readyRunner(env: Record<string, string> = {}): Promise<RunnerUnderTest> {
  const runner = startRunner(env);
  started.push(runner);
  await runner.next('ready');
  return runner;
}

const order = (kind: string, params: Record<string, unknown>, inputs: Record<string, string> = {}) => ({
  type: 'start' as const,
  attemptId: 'att_1',
  jobId: 'job_1',
  kind,
  params,
  tier: null,
  inputs,
  outputDir: folder,
  checkpointDir: folder,
  resumeFrom: null,
  traceparent: null,
});
const stop = { type: 'stop' as const, reason: 'cancel' as const };

/** A process that no longer exists, or is only a name in the table of its parent. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (status === '' || / Z /.test(status)) return;
    await wait(20);
  }
}

describe('an attempt', () => {
  test('prints, reports progress, leaves its output and says done with what it has written', async () => {
    const runner = await readyRunner();
    const logBytes = Buffer.from([0xff, 0x00, 0x41]).toString('base64');
    runner.send(
      order('diagnostic', { steps: 3, stepMs: 15, logLines: 2_500, logBytes, artifactBytes: 200_000 }),
    );
    const done = await runner.next('done');

    expect(done).toMatchObject({ engine: 'wasm', leftovers: { tensors: 0 } });
    expect(done.outputs).toEqual([
      { name: 'output.bin', path: 'output.bin', mediaType: 'application/octet-stream' },
    ]);
    const bytes = await readFile(join(folder, 'output.bin'));
    expect(bytes.length).toBe(200_000);
    expect(bytes.every((byte, i) => byte === i % 251)).toBe(true);
    const last = runner.messages.findLast((message) => message.type === 'progress');
    expect(last).toMatchObject({ step: 3, total: 3, fraction: 1 });

    runner.child.kill('SIGKILL');
    await runner.exited();
    const lines = runner.stdout.split('\n');
    expect(lines.slice(0, 2_500)).toEqual(Array.from({ length: 2_500 }, (_, i) => `line ${i + 1}`));
    expect(lines[2_500]).toBe('\ufffd\0A');
    const lineBytes = Array.from({ length: 2_500 }, (_, i) => `line ${i + 1}\n`).join('').length;
    expect(done.written).toEqual({ stdoutBytes: lineBytes + 3, stderrBytes: 0 });
  });

  test('ends at its next yield when it is asked to stop, and the same process takes the next one', async () => {
    const runner = await readyRunner();
    runner.send(order('diagnostic', { steps: 1_000, stepMs: 10 }));
    await runner.next('progress');
    const askedMs = performance.now();
    runner.send(stop);
    await runner.next('stopped');
    expect(performance.now() - askedMs).toBeLessThan(1_000);
    // A stop that crossed the end on its way must not touch the next attempt.
    runner.send(stop);
    runner.send(order('diagnostic', { steps: 2 }));
    await runner.next('done');
  });

  test('fails with the code of what went wrong, without a stack, and leaves the process usable', async () => {
    const runner = await readyRunner();
    runner.send(order('diagnostic', { steps: 5, failAtStep: 2 }));
    expect(await runner.next('failed')).toMatchObject({
      code: 'WORKLOAD_ERROR',
      message: 'Failed at step 2, as told.',
      broken: false,
    });
    runner.send(order('diagnostic', { shouldFail: true }));
    expect(await runner.next('failed')).toMatchObject({ code: 'WORKLOAD_ERROR', broken: false });
    runner.send(order('diagnostic', { steps: 0 }));
    expect(await runner.next('failed')).toMatchObject({ code: 'INVALID_INPUT', broken: false });
    runner.send(order('weather.forecast', {}));
    expect(await runner.next('failed')).toMatchObject({ code: 'NO_ENGINE', broken: false });
    runner.send({ ...order('diagnostic', {}), tier: 'huge' });
    expect(await runner.next('failed')).toMatchObject({ code: 'NO_ENGINE', broken: false });
    runner.send({ ...order('diagnostic', { artifactBytes: 1 }), outputDir: join(folder, 'absent') });
    expect(await runner.next('failed')).toMatchObject({ code: 'WORKLOAD_ERROR', broken: false });
    runner.send(order('diagnostic', {}));
    await runner.next('done');
  });

  test('enlarges an image on the engine it said ready with, and keeps the model warm without a leak', async () => {
    const runner = await readyRunner();
    const image = join(folder, 'in.png');
    await writeFile(image, await drawPicture(150, 20));
    for (const _ of [1, 2]) {
      runner.send(order('image.upscale', { scale: 2 }, { image }));
      const done = await runner.next('done', 'failed');
      expect(done).toMatchObject({ type: 'done', engine: 'wasm', leftovers: { tensors: 0 } });
    }
    expect(runner.stdout).toContain('png 150×20 → 300×40');
    await writeFile(image, 'no image at all');
    runner.send(order('image.upscale', { scale: 2 }, { image }));
    expect(await runner.next('failed')).toMatchObject({ code: 'INVALID_INPUT', broken: false });
  });
});

describe('the end of the process', () => {
  test('a crash is an abort and says nothing', async () => {
    const runner = await readyRunner();
    runner.send(order('diagnostic', { crash: true, logLines: 60_000 }));
    expect(await runner.exited()).toEqual({ code: null, signal: 'SIGABRT' });
    expect(runner.stdout.endsWith('line 60000\n')).toBe(true);
    expect(runner.messages.filter((message) => message.type !== 'ready')).toEqual([]);
  });

  test('a hang hears neither a stop nor anything else, and SIGKILL ends it', async () => {
    const runner = await readyRunner();
    runner.send(order('diagnostic', { hang: true, logLines: 1 }));
    await until(() => runner.stdout === 'line 1\n');
    runner.send(stop);
    runner.child.kill('SIGKILL');
    expect(await runner.exited()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(runner.messages.map((message) => message.type)).toEqual(['ready']);
  });

  test('SIGTERM ends an attempt at once, except one that was told to ignore it', async () => {
    const [plain, deaf] = await Promise.all([readyRunner(), readyRunner()]);
    plain.send(order('diagnostic', { steps: 1_000, stepMs: 10 }));
    await plain.next('progress');
    plain.child.kill('SIGTERM');
    expect(await plain.exited()).toEqual({ code: null, signal: 'SIGTERM' });

    deaf.send(order('diagnostic', { steps: 20, stepMs: 10, ignoreCancel: true }));
    await deaf.next('progress');
    deaf.child.kill('SIGTERM');
    deaf.send(stop);
    await deaf.next('done');
    deaf.child.kill('SIGTERM');
    expect(await deaf.exited()).toEqual({ code: null, signal: 'SIGTERM' });
  });

  test('a message outside the contract, or a second start, ends it loudly', async () => {
    const [garbled, doubled] = await Promise.all([readyRunner(), readyRunner()]);
    garbled.sendRaw({ type: 'start', attemptId: 7 });
    expect(await garbled.exited()).toEqual({ code: 1, signal: null });
    expect(garbled.stderr).toContain('attemptId');

    doubled.send(order('diagnostic', { steps: 1_000, stepMs: 10 }));
    doubled.send(order('diagnostic', {}));
    expect(await doubled.next('failed')).toMatchObject({ code: 'WORKLOAD_ERROR', broken: true });
    expect(await doubled.exited()).toEqual({ code: 1, signal: null });
  });

  test('without a working engine it says unusable with the audit, and exits', async () => {
    const runner = startRunner({ GJM_RUNNER_ENGINES: 'cuda,webgpu' });
    started.push(runner);
    const { audit } = await runner.next('unusable');
    expect(audit.map(({ code }) => code)).toEqual(['CUDA_NOT_PINNED', 'WEBGPU_NOT_PINNED']);
    expect(await runner.exited()).toEqual({ code: 3, signal: null });
  });

  test('without its environment it exits with one line', async () => {
    const runner = startRunner({ GJM_RUNNER_ENGINES: '' });
    started.push(runner);
    expect(await runner.exited()).toEqual({ code: 2, signal: null });
    expect(runner.stderr).toBe('GJM_RUNNER_ENGINES: name at least one engine\n');
  });
});

describe('a runner whose supervisor is gone', () => {
  const parent = fileURLToPath(new URL('../runner/parent-under-test.mjs', import.meta.url));

  test.each([
    ['idle', null],
    ['between steps', { steps: 1_000, stepMs: 20, logLines: 1 }],
    ['in a loop that never yields', { hang: true, logLines: 1 }],
  ])('ends by itself: %s', async (_, params) => {
    const supervisor = fork(parent, [JSON.stringify(params && order('diagnostic', params))], {
      stdio: 'ignore',
    });
    const [message] = (await within('the runner', once(supervisor, 'message'))) as [{ pid: number }];
    supervisor.kill('SIGKILL');
    await within('the end of the runner', gone(message.pid));
  });
});

async function until(condition: () => boolean): Promise<void> {
  const poll = async () => {
    while (!condition()) await wait(10);
  };
  await within('a condition', poll());
}
