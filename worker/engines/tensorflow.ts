import * as tf from '@tensorflow/tfjs-core';
import { EngineOutOfMemory, type Engine, type EngineLoader, type LoadResult } from './engine.js';
import { prepareTensorflow } from './environment.js';
import { assertBelowCap } from './tensor-cap.js';
import {
  loadTensorflowPackage,
  type PackageAnswer,
  type TensorflowBinding,
  type TensorflowPackage,
} from './tensorflow-package.js';

/** The name under which the package registers its kernels. */
const backendName = 'tensorflow';

/** One of the two engines that are this library: the same code on a GPU or on the CPU, and never the one under the other's name. */
interface TensorflowEngine {
  name: 'cuda' | 'native';
  usesGpu: boolean;
  /** Told when the library computes on the other kind of device. */
  wrongDevice: { code: string; message: string };
  /** Why this process must not even load the library, or null. */
  refuse?: () => { code: string; message: string } | null;
}

/** The package as this process has it: a library can be loaded once, and what it was told then holds for life. */
let loaded: PackageAnswer | undefined;

/** An engine's loader. The library is loaded with its first call, whichever of the two engines that is for. */
export function tensorflowLoader(kind: TensorflowEngine): EngineLoader {
  return {
    name: kind.name,
    async load() {
      const refusal = kind.refuse?.();
      if (refusal) return { ok: false, ...refusal };
      if (!loaded) {
        prepareTensorflow(kind.usesGpu);
        loaded = loadTensorflowPackage();
      }
      return loaded.ok
        ? start(kind, loaded.package)
        : { ok: false, code: `${kind.name.toUpperCase()}_${loaded.reason}`, message: loaded.message };
    },
  };
}

async function start(kind: TensorflowEngine, { binding, version, createBackend }: TensorflowPackage) {
  if (binding.isUsingGpuDevice() !== kind.usesGpu) {
    return { ok: false, ...kind.wrongDevice } satisfies LoadResult;
  }
  if (tf.findBackendFactory(backendName)) tf.removeBackend(backendName);
  tf.registerBackend(backendName, () => createBackend(tellingOutOfMemory(binding)));
  if (!(await tf.setBackend(backendName))) {
    const code = `${kind.name.toUpperCase()}_INIT_FAILED`;
    return { ok: false, code, message: 'TensorFlow did not accept the backend.' } satisfies LoadResult;
  }
  const engine: Engine = {
    name: kind.name,
    version,
    inUse: () => (tf.getBackend() === backendName ? kind.name : tf.getBackend()),
    // What lies on a GPU the library counts itself, and says in time that there is no more.
    assertRoom: kind.usesGpu ? () => undefined : (bytes) => assertBelowCap(bytes),
    isBroken,
  };
  return { ok: true, engine } satisfies LoadResult;
}

/** The binding with the library's words for want of memory turned into ours. */
function tellingOutOfMemory(binding: TensorflowBinding): TensorflowBinding {
  const executeOp = (...call: Parameters<TensorflowBinding['executeOp']>) => {
    try {
      return binding.executeOp(...call);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (/\bOOM\b|out of memory|failed to allocate/i.test(message)) throw new EngineOutOfMemory(message);
      throw error;
    }
  };
  return Object.create(binding, { executeOp: { value: executeOp } }) as TensorflowBinding;
}

/** After want of memory, or an error of the driver or of one of NVIDIA's libraries: then the context of the device is lost. */
function isBroken(error: unknown): boolean {
  if (error instanceof EngineOutOfMemory) return true;
  return error instanceof Error && /\b(CUDA|CUDNN|CUBLAS|CUSOLVER|CUFFT)_|\bcuda[A-Z]/.test(error.message);
}
