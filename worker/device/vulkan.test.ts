import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { softwareAdapters } from '../testing/software-adapters.js';
import type { FoundDevice } from './probe.js';
import { devicesOf, joinAdapters, probeVulkan } from './vulkan.js';
import { askForAdapters, reasonNotToAsk } from './vulkan-adapters.js';

const folder = mkdtempSync(join(tmpdir(), 'gjm-vulkan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const log = pino({ level: 'silent' });
const allowed = { instanceId: 'me', allowSoftware: true, log };
const adapter = (name: string, count = 1, isSoftware = false) => ({
  name,
  count,
  isSoftware,
  description: 'driver 1',
});

describe('adapters as devices', () => {
  test('each has an id that stays, and the pin of its name', () => {
    const [amd, intel] = devicesOf([adapter('AMD W7900'), adapter('Intel B580')], allowed);
    expect(amd).toMatchObject({ name: 'AMD W7900', kind: 'GPU', engines: 'webgpu', slots: 1 });
    expect(amd?.pin).toEqual({ GJM_RUNNER_ADAPTER: 'AMD W7900' });
    expect(amd?.uid).not.toBe(intel?.uid);
    expect(devicesOf([adapter('AMD W7900')], allowed)[0]?.uid).toBe(amd?.uid);
  });

  test('twins are one device that says it pins nothing', () => {
    const devices = devicesOf([adapter('AMD W7900', 2)], allowed);
    expect(devices).toHaveLength(1);
    expect(devices[0]).toMatchObject({
      name: '2 × AMD W7900',
      slots: 1,
      labels: { pinning: 'none', adapters: '2' },
    });
  });

  test('software is offered only where it is allowed, and is called so', () => {
    const adapters = [adapter('llvmpipe', 1, true)];
    expect(devicesOf(adapters, { ...allowed, allowSoftware: false })).toEqual([]);
    expect(devicesOf(adapters, allowed)[0]).toMatchObject({
      kind: 'SOFTWARE',
      pin: { GJM_RUNNER_ALLOW_SOFTWARE_GPU: '1' },
    });
  });

  test('one whose name is a part of another name is not offered: asking for it could give the other', () => {
    const devices = devicesOf([adapter('NVIDIA A100'), adapter('NVIDIA A100 80GB')], allowed);
    expect(devices.map(({ name }) => name)).toEqual(['NVIDIA A100 80GB']);
  });
});

describe('a GPU that CUDA and Vulkan both know', () => {
  const gpu = (uid: string, name: string): FoundDevice => ({
    ...{ uid, name, kind: 'GPU', engines: 'cuda,webgpu', slots: 1, memoryBytes: 1, labels: {} },
    pin: { CUDA_VISIBLE_DEVICES: uid },
    freeBytes: () => null,
  });
  const joined = (gpus: FoundDevice[], ...adapters: ReturnType<typeof adapter>[]) =>
    joinAdapters(gpus, devicesOf(adapters, allowed));

  test('is one device with the id of CUDA and both pins, beside those that only Vulkan knows', () => {
    const devices = joined([gpu('GPU-1', 'NVIDIA L4')], adapter('NVIDIA L4'), adapter('AMD W7900'));
    expect(devices.map(({ uid, name }) => [uid.slice(0, 6), name])).toEqual([
      ['vulkan', 'AMD W7900'],
      ['GPU-1', 'NVIDIA L4'],
    ]);
    expect(devices[1]?.pin).toEqual({ CUDA_VISIBLE_DEVICES: 'GPU-1', GJM_RUNNER_ADAPTER: 'NVIDIA L4' });
  });

  test.each([
    ['two cards and two adapters', 2, 2],
    ['two cards and one adapter', 2, 1],
    ['one card and two adapters', 1, 2],
  ])('is left to CUDA where several have its name: %s', (_, cards, count) => {
    const gpus = Array.from({ length: cards }, (_, index) => gpu(`GPU-${index}`, 'NVIDIA L4'));
    expect(joined(gpus, adapter('NVIDIA L4', count))).toEqual(gpus);
  });
});

describe('asking Vulkan', () => {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const module = fileURLToPath(new URL('../dist/device/vulkan-list.js', import.meta.url));
  const written = (name: string, code: string) => {
    const path = join(folder, name);
    writeFileSync(path, code);
    return path;
  };

  test.each([
    ['hangs', 'for (;;);', /longer than 300 ms/],
    ['crashes', 'process.kill(process.pid, "SIGSEGV");', /SIGSEGV/],
    ['talks nonsense', 'console.log("{}")', /makes no sense/],
  ])('a driver that %s is a reason and no fault of the worker', async (name, code, message) => {
    const limitMs = name === 'hangs' ? 300 : 20_000;
    const answer = await askForAdapters({ env, limitMs, module: written(`${name}.mjs`, code) });
    expect(answer).toMatchObject({ ok: false, code: 'WEBGPU_PROBE_FAILED' });
    expect(answer).toHaveProperty('message', expect.stringMatching(message));
  });

  test('without Dawn there is no device of Vulkan', async () => {
    const nothing = { ...env, GJM_PACKAGES_DIR: folder };
    expect(await askForAdapters({ env: nothing, module })).toMatchObject({ code: 'WEBGPU_PKG_ABSENT' });
  });

  const drivers = softwareAdapters('swiftshader', 'lavapipe');
  (drivers ? test : test.skip)('two drivers are two devices, each under the same id every time', async () => {
    const find = () => probeVulkan({ env: { ...env, ...drivers }, module, ...allowed });
    const devices = await find();
    expect(devices.map(({ name, kind }) => [name.slice(0, 8), kind])).toEqual([
      ['SwiftSha', 'SOFTWARE'],
      ['llvmpipe', 'SOFTWARE'],
    ]);
    expect((await find()).map(({ uid }) => uid)).toEqual(devices.map(({ uid }) => uid));
    expect(reasonNotToAsk({ ...drivers })).toBeNull();
  });

  const one = softwareAdapters('swiftshader');
  (one ? test : test.skip)('two drivers of the same device are one device', async () => {
    const first = one?.['VK_DRIVER_FILES'] ?? '';
    const library_path = join(dirname(first), 'libvk_swiftshader.so');
    const twin = written(
      'twin.json',
      JSON.stringify({ file_format_version: '1.0.0', ICD: { library_path, api_version: '1.0.5' } }),
    );
    const devices = await probeVulkan({
      env: { ...env, ...one, VK_DRIVER_FILES: `${first}:${twin}` },
      module,
      ...allowed,
    });
    expect(devices.map(({ name, labels }) => [name.slice(0, 12), labels['pinning']])).toEqual([
      ['2 × SwiftSha', 'none'],
    ]);
  });
});
