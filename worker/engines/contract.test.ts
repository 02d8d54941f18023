import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { kinds } from '@gjm/core/workload/kinds.js';
import { optionalPackages, packagesFolder } from '../packages-folder.js';
import { engineCases } from '../testing/engine-cases/all.js';
import { pretrainedCases } from '../testing/engine-cases/pretrained-cases.js';
import type { EngineReport } from '../testing/engine-cases/report.js';
import { workloadCases } from '../testing/engine-cases/workload-cases.js';
import { softwarePin } from '../testing/software-adapters.js';
import { builtLoaders } from './choose.js';
import type { EngineName } from './engine.js';

/** What a supervisor would set for a child of this engine. */
const pins: Partial<Record<EngineName, Record<string, string>>> = {
  cuda: { CUDA_VISIBLE_DEVICES: '0' },
  webgpu: softwarePin(),
};

/** On GPUs of the last years the library multiplies in TF32, which has 10 bits. */
const leastTolerance: Partial<Record<EngineName, number>> = { cuda: 5e-3 };

/** Kinds without a case here: one measures the engine itself, the other has none; or their models are not set up on this machine. */
const withoutCase = [
  'device.benchmark',
  'process.run',
  ...(optionalPackages('models') ? [] : ['image.moderate']),
];

/** All cases on one engine, in a process of its own: a process serves one engine for life. */
async function reportOf(engine: EngineName): Promise<EngineReport> {
  const main = fileURLToPath(new URL('../dist/testing/engine-cases/main.js', import.meta.url));
  const child = fork(main, [engine], {
    env: { GJM_PACKAGES_DIR: packagesFolder(), ...pins[engine] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  let report: EngineReport | undefined;
  child.on('message', (message) => (report = message as EngineReport));
  await once(child, 'close');
  if (!report) throw new Error(`The process of ${engine} ended without a report:\n${stderr}`);
  return report;
}

// Before the tests are declared, so that an engine which is not here is reported as skipped, with the reason.
const names = builtLoaders.map(({ name }) => name);
const reports = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await reportOf(name)] as const)),
) as Record<EngineName, EngineReport>;

test('wasm and cpu are offered everywhere', () => {
  for (const name of ['wasm', 'cpu'] as const)
    expect(reports[name].audit).toMatchObject({ offered: true, code: null });
});

test('every kind has a case', () => {
  const covered = [...[...workloadCases, ...pretrainedCases].map(({ kind }) => kind), ...withoutCase];
  expect(kinds.map(({ name }) => name).filter((name) => !covered.includes(name))).toEqual([]);
});

for (const name of names) {
  const { audit, answers, cores } = reports[name];
  if (!audit.offered) {
    test.skip(`${name} is not here: ${audit.code}. ${audit.message}`, () => undefined);
    continue;
  }
  describe(`${name} ${audit.version}`, () => {
    test('shares the one tfjs-core of its process', () => {
      expect(cores).toBe(1);
    });

    test.each(engineCases)('computes as cpu does: $name', ({ name: caseName, tolerance }) => {
      const [answer, reference] = [answers[caseName], reports.cpu.answers[caseName]];
      if (!answer || 'error' in answer) throw new Error(answer?.error ?? 'no answer');
      if (!reference || 'error' in reference) throw new Error(reference?.error ?? 'no reference');
      expect(answer).toMatchObject({ tensors: 0, isInUse: true });
      expect(answer.values).toHaveLength(reference.values.length);
      const scale = reference.values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
      const apart = answer.values.map((value, i) => Math.abs(value - reference.values[i]!) / scale);
      // NaN is apart from everything.
      const limit = Math.max(tolerance, leastTolerance[name] ?? 0);
      expect(apart.filter((distance) => !(distance <= limit))).toEqual([]);
    });
  });
}
