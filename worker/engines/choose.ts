import * as tf from '@tensorflow/tfjs-core';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import { registerChainedMethods } from './chained-methods.js';
import { cpuLoader } from './cpu.js';
import { cudaLoader } from './cuda.js';
import { type Engine, type EngineLoader, engineNames } from './engine.js';
import { nativeLoader } from './native.js';
import { runSelfTest } from './self-test.js';
import { wasmLoader } from './wasm.js';
import { webgpuLoader } from './webgpu.js';

/** The engines this release can load. */
export const builtLoaders: readonly EngineLoader[] = [
  cudaLoader,
  webgpuLoader,
  nativeLoader,
  wasmLoader,
  cpuLoader,
];

/** `engine` is null when none of the wanted ones works; `audit` has one row per engine that was tried, in that order. */
export interface EngineChoice {
  engine: Engine | null;
  audit: EngineAudit[];
}

/**
 * Takes the first wanted engine that loads and passes the self-test. Those after it are not tried, since a process serves one engine for
 * life. Never throws: a fault of an engine is its row in the audit.
 */
export async function chooseEngine(
  wanted: readonly string[],
  loaders: readonly EngineLoader[] = builtLoaders,
): Promise<EngineChoice> {
  registerChainedMethods();
  const audit: EngineAudit[] = [];
  for (const name of wanted) {
    const loader = loaders.find((candidate) => candidate.name === name);
    if (!loader) {
      audit.push(skipped(name, ...reasonOfAbsence(name)));
      continue;
    }
    const { engine, row } = await tryEngine(loader);
    audit.push(row);
    if (engine) return { engine, audit };
  }
  return { engine: null, audit };
}

async function tryEngine(loader: EngineLoader): Promise<{ engine: Engine | null; row: EngineAudit }> {
  try {
    const result = await loader.load();
    if (!result.ok) return { engine: null, row: skipped(loader.name, result.code, result.message) };
    const { engine } = result;
    const problem = (await runSelfTest()) ?? (await engine.faults?.settled())?.message;
    if (problem) {
      // A backend that lies must not stay registered: TensorFlow falls back to whatever it still knows.
      tf.removeBackend(tf.getBackend());
      return { engine: null, row: skipped(loader.name, 'SELFTEST_MISMATCH', problem, engine.version) };
    }
    const where = engine.on === undefined ? '' : ` on ${engine.on}`;
    const message = `Loaded${where}, and its self-test gave the known numbers.`;
    return {
      engine,
      row: { engine: loader.name, offered: true, code: null, message, version: engine.version },
    };
  } catch (error) {
    return { engine: null, row: skipped(loader.name, ...reasonOfFault(loader.name, error)) };
  }
}

function skipped(engine: string, code: string, message: string, version: string | null = null): EngineAudit {
  return { engine, offered: false, code, message, version };
}

function reasonOfAbsence(name: string): [code: string, message: string] {
  const isKnown = engineNames.some((known) => known === name);
  return isKnown
    ? [`${name.toUpperCase()}_PKG_ABSENT`, `This release does not bring the ${name} engine.`]
    : ['ENGINE_UNKNOWN', `There is no engine of the name ${name}.`];
}

function reasonOfFault(name: string, error: unknown): [code: string, message: string] {
  const message = error instanceof Error ? error.message : String(error);
  const kernel = /Kernel '(\w+)' not registered/.exec(message)?.[1];
  return kernel ? [`KERNEL_MISSING:${kernel}`, message] : [`${name.toUpperCase()}_INIT_FAILED`, message];
}
