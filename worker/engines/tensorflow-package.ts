import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { KernelBackend } from '@tensorflow/tfjs-core';
import { optionalPackages } from '../packages-folder.js';

/** TensorFlow's C library as tfjs-node's binding shows it, as far as we look. */
export interface TensorflowBinding {
  TF_Version: string;
  isUsingGpuDevice(): boolean;
  executeOp(name: string, attributes: unknown, inputs: unknown, outputs: number): unknown;
}

/** What `npm run setup:tensorflow` made and this process has loaded. */
export interface TensorflowPackage {
  binding: TensorflowBinding;
  /** Version of the binding's package and of the library. */
  version: string;
  /** A backend that computes with `binding`; its kernels are registered under the name `tensorflow`. */
  createBackend: (binding: TensorflowBinding) => KernelBackend;
}

/** `reason` ends the codes of the audit: CUDA_PKG_ABSENT, NATIVE_ADDON_MISSING. */
export type PackageAnswer =
  | { ok: true; package: TensorflowPackage }
  | { ok: false; reason: 'PKG_ABSENT' | 'ADDON_MISSING' | 'ADDON_BROKEN'; message: string };

/** Where the stand-in for `@tensorflow/tfjs`, which the setup writes, finds the one tfjs-core of this process. */
export const sharedCore = Symbol.for('gjm.tfjs-core');

/** The packages that may have been set up, as the setup installs them. */
const packageNames = ['@tensorflow/tfjs-node', '@tensorflow/tfjs-node-gpu'] as const;
/** Of the binding, within its package. */
export const bindingPath = 'lib/napi-v8/tfjs_binding.node';

/**
 * Loads binding and kernels into this process; the library's own settings must stand in the environment already. The package's main module is
 * not loaded: it wants the union of all TensorFlow.js packages and makes itself the backend at once.
 */
export function loadTensorflowPackage(): PackageAnswer {
  const set = optionalPackages('tensorflow');
  const folder = packageNames
    .map((name) => join(set ?? '', 'node_modules', name))
    .find((path) => set !== null && existsSync(join(path, 'package.json')));
  if (!folder) {
    const message =
      'TensorFlow\'s C library is not set up here: run "npm run setup:tensorflow" (docs/engines.md).';
    return { ok: false, reason: 'PKG_ABSENT', message };
  }
  const addon = join(folder, bindingPath);
  if (!existsSync(addon)) {
    const message = `The package has no ${bindingPath}: run "npm run setup:tensorflow" again.`;
    return { ok: false, reason: 'ADDON_MISSING', message };
  }
  const load = createRequire(join(folder, 'package.json'));
  let binding: TensorflowBinding;
  try {
    binding = load(addon) as TensorflowBinding;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The binding does not load, so the library was moved or is of another system: run "npm run setup:tensorflow" again. ${why}`;
    return { ok: false, reason: 'ADDON_BROKEN', message };
  }
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const NodeBackend = loadKernels(load);
  return {
    ok: true,
    package: {
      binding,
      version: `${version} on TensorFlow ${binding.TF_Version}`,
      createBackend: (used) => new NodeBackend(used, name),
    },
  };
}

type BackendClass = new (binding: TensorflowBinding, packageName: string) => KernelBackend;

/** The package's own kernels, registered in our tfjs-core: a second instance would know other tensors than ours. */
function loadKernels(load: NodeJS.Require): BackendClass {
  const ownRequire = createRequire(import.meta.url);
  // Gone since Node 23, and the package still calls it.
  const util = ownRequire('node:util') as { isNullOrUndefined?: (value: unknown) => boolean };
  util.isNullOrUndefined ??= (value) => value == null;
  const shared = globalThis as { [sharedCore]?: unknown };
  shared[sharedCore] = ownRequire('@tensorflow/tfjs-core');
  try {
    load('./dist/register_all_kernels.js');
    return (load('./dist/nodejs_kernel_backend.js') as { NodeJSKernelBackend: BackendClass })
      .NodeJSKernelBackend;
  } finally {
    delete shared[sharedCore];
  }
}
