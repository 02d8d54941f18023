import { EngineFault, EngineOutOfMemory, type EngineFaults } from '../engine.js';

/**
 * Keeps the first fault of a device. Dawn tells of an operation beyond a limit, of want of memory and of a loss by events alone: the operation
 * itself goes on, and reading its result gives what happens to lie in memory.
 */
export function watchFaults(device: GPUDevice): EngineFaults {
  let first: Error | null = null;
  let tell: ((fault: Error) => void) | null = null;
  const keep = (fault: Error) => {
    if (first) return;
    first = fault;
    // Not from within the operation that the event comes from.
    process.nextTick(() => tell?.(fault));
  };
  device.addEventListener('uncapturederror', (event) =>
    keep(faultOf((event as GPUUncapturedErrorEvent).error)),
  );
  void device.lost.then(({ reason, message }) =>
    keep(new EngineFault('DEVICE_LOST', `The GPU was lost (${reason || 'unknown'}). ${message}`)),
  );
  return {
    listen(listener) {
      tell = listener;
      if (first) listener(first);
    },
    async settled() {
      // Resolves also after a loss, and not before the events of what was submitted.
      await device.queue.onSubmittedWorkDone();
      return first;
    },
  };
}

/** Dawn's words for what is too large for one buffer or one binding of it. */
const tooLarge = /exceeds the max buffer size|larger than the maximum .*binding size/i;

function faultOf(error: GPUError): Error {
  const kind = error.constructor.name;
  const [sentence = ''] = error.message.split('\n');
  if (kind === 'GPUOutOfMemoryError') return new EngineOutOfMemory(`The GPU has no memory left. ${sentence}`);
  if (tooLarge.test(sentence))
    return new EngineOutOfMemory(`A tensor is too large for this GPU. ${sentence}`);
  return kind === 'GPUValidationError'
    ? new EngineFault('WORKLOAD_ERROR', `The GPU refused an operation. ${sentence}`)
    : new EngineFault('RUNNER_CRASHED', `The GPU's driver failed. ${sentence}`);
}
