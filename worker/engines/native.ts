import { tensorflowLoader } from './tensorflow.js';

/** TensorFlow's C library on the CPU: 3 to 7 times as fast as wasm, where it has been set up. */
export const nativeLoader = tensorflowLoader({
  name: 'native',
  usesGpu: false,
  wrongDevice: {
    code: 'NATIVE_ON_GPU',
    message: 'The library computes on a GPU, although this process was given none.',
  },
});
