import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type RunnerUnderTest, startRunner } from '../runner/runner-under-test.js';
import { startMessage } from '../testing/fixture-runners.js';
import { softwareAdapters, softwarePin } from '../testing/software-adapters.js';

const fixture = (name: string) => fileURLToPath(new URL(`./webgpu/fixtures/${name}.mjs`, import.meta.url));
const started: RunnerUnderTest[] = [];
const empty = mkdtempSync(join(tmpdir(), 'gjm-no-packages-'));
const both = softwareAdapters('swiftshader', 'lavapipe');
const one = both ?? softwareAdapters('swiftshader');
const allowed = { ...softwarePin(), ...one };
const forbidden = { ...allowed, GJM_RUNNER_ALLOW_SOFTWARE_GPU: '0' };

afterEach(async () => {
  await Promise.all(started.splice(0).map((runner) => runner.close()));
});
afterAll(() => rmSync(empty, { recursive: true }));

function start(env: Record<string, string>, main?: string): RunnerUnderTest {
  const runner = startRunner({ GJM_RUNNER_ENGINES: 'webgpu', ...env }, main);
  started.push(runner);
  return runner;
}

test('without its package the engine says which command sets it up', async () => {
  const { audit } = await start({ GJM_PACKAGES_DIR: empty }).next('unusable');
  expect(audit).toEqual([
    expect.objectContaining({ engine: 'webgpu', offered: false, code: 'WEBGPU_PKG_ABSENT' }),
  ]);
  expect(audit[0]?.message).toContain('npm run setup:webgpu');
});

(one ? describe : describe.skip)('where Dawn and a software adapter are set up', () => {
  test.each([
    ['no adapter is pinned', { ...one }, 'WEBGPU_NOT_PINNED'],
    ['nobody has the name', { ...allowed, GJM_RUNNER_ADAPTER: 'Quantum 9000' }, 'WEBGPU_NO_ADAPTER'],
    ['there is no driver', { ...allowed, VK_DRIVER_FILES: '/dev/null' }, 'WEBGPU_NO_ADAPTER'],
    ['software is not allowed', forbidden, 'WEBGPU_SOFTWARE_ONLY'],
  ])('it is not offered when %s', async (_, env, code) => {
    const { audit } = await start(env).next('unusable');
    expect(audit.map((row) => [row.engine, row.offered, row.code])).toEqual([['webgpu', false, code]]);
  });

  test('a backend that computes nothing fails the self-test', async () => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...one };
    const { stdout } = await promisify(execFile)(process.execPath, [fixture('null-backend')], { env });
    expect(JSON.parse(stdout)).toMatchObject({ isOffered: false, row: { code: 'SELFTEST_MISMATCH' } });
  });

  test('each process computes on the adapter it was given, and says so', async () => {
    const names = both ? ['llvmpipe', 'SwiftShader'] : ['SwiftShader'];
    for (const name of names) {
      const { engine, audit } = await start({ ...allowed, GJM_RUNNER_ADAPTER: name }).next('ready');
      expect(engine).toBe('webgpu');
      expect(audit[0]?.message).toContain(`Loaded on ${name}`);
      for (const other of names.filter((candidate) => candidate !== name))
        expect(audit[0]?.message).not.toContain(other);
    }
  });

  test.each([
    [1, 'a tensor beyond the limit of a binding', 'OUT_OF_MEMORY', /too large for this GPU/],
    [2, 'one whose values nobody reads', 'OUT_OF_MEMORY', /too large for this GPU/],
    [3, 'an operation that is not valid', 'WORKLOAD_ERROR', /The GPU refused an operation/],
    [4, 'the loss of the device', 'DEVICE_LOST', /The GPU was lost/],
  ])('an attempt never ends well after fault %i: %s', async (steps, _, code, message) => {
    const runner = start(allowed, fixture('faulty-runner'));
    await runner.next('ready');
    runner.send(startMessage({ steps }));
    const end = await runner.next('failed', 'done');
    expect(end).toMatchObject({ type: 'failed', code, broken: true });
    expect(end).toHaveProperty('message', expect.stringMatching(message));
    expect(await runner.exited()).toEqual({ code: 1, signal: null });
  });

  test('a process whose device is lost while it has nothing to do ends, so that another takes its place', async () => {
    const runner = start(allowed, fixture('faulty-runner'));
    await runner.next('ready');
    runner.send(startMessage({ steps: 5 }));
    await runner.next('done');
    expect(await runner.exited()).toEqual({ code: 1, signal: null });
    expect(runner.stderr).toContain('The GPU was lost');
  });
});
