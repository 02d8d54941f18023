import { pinnedGpu } from './environment.js';
import { tensorflowLoader } from './tensorflow.js';

/** TensorFlow's C library on one NVIDIA GPU. Without its libraries or driver it would silently compute on the CPU: that is refused. */
export const cudaLoader = tensorflowLoader({
  name: 'cuda',
  usesGpu: true,
  wrongDevice: {
    code: 'CUDA_CPU_ONLY',
    message:
      'The library found no usable GPU and would compute on the CPU: check nvidia-smi, and that CUDA and cuDNN are of the versions it needs (docs/engines.md).',
  },
  refuse: () =>
    pinnedGpu() === null
      ? {
          code: 'CUDA_NOT_PINNED',
          message: 'This process was not given exactly one GPU by CUDA_VISIBLE_DEVICES.',
        }
      : null,
});
