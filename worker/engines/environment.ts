/** The one GPU that the supervisor gave this process, as the CUDA libraries will read it; null when it gave none, or more than one. */
export function pinnedGpu(): string | null {
  const devices = process.env['CUDA_VISIBLE_DEVICES']?.trim() ?? '';
  return devices === '' || devices === '-1' || devices.includes(',') ? null : devices;
}

/**
 * What TensorFlow's C library reads when it is loaded; it can not be told later. `withGpu` false hides all GPUs, so that a child of the CPU
 * never takes memory of one. oneDNN stays on, as the library has it: measured in docs/engines.md it is the faster way for all our kinds.
 */
export function prepareTensorflow(withGpu: boolean): void {
  if (!withGpu) process.env['CUDA_VISIBLE_DEVICES'] = '-1';
  Object.assign(process.env, {
    // Else it takes nearly all memory of the GPU at once, and nobody could see what a job really needs.
    TF_FORCE_GPU_ALLOW_GROWTH: 'true',
    // Errors only: what it writes lands in the log of the user's job.
    TF_CPP_MIN_LOG_LEVEL: '2',
  });
}
