import type { RunnerChild } from '../child/spawn.js';
import type { GpuUse } from '../device/gpu-use.js';
import type { Logger } from '../logger.js';
import type { AttemptEnd } from './run-attempt.js';

/** How long a device may take to let go of what an attempt had, in ms: first with its child alive, then with it gone. */
const [firstMs, secondMs] = [1_500, 2_500];

/**
 * Whether the attempt's devices are clean, now that its processes have been ended. One clean-up is tried: what is left of ours is killed, and
 * the child is ended with all that it keeps, which `end` is told as a fault. Never rejects: a check that fails has not proven anything.
 */
export async function checkDevices(
  use: GpuUse | null,
  child: RunnerChild,
  end: AttemptEnd,
  log: Logger,
): Promise<boolean> {
  try {
    return await areClean(use, child, end, log);
  } catch (error) {
    log.error({ err: error }, 'the device could not be checked after an attempt');
    return false;
  }
}

async function areClean(
  use: GpuUse | null,
  child: RunnerChild,
  end: AttemptEnd,
  log: Logger,
): Promise<boolean> {
  if (!end.isGroupGone || use?.loss) return false;
  const dirt = await use?.proveClean(firstMs);
  if (!use || dirt == null) return true;
  if (use.loss) return false;
  log.warn({ dirt }, 'the device is not clean after an attempt: its child is ended');
  use.endLeftovers();
  if (end.fault === null) {
    end.fault = 'its device was not clean';
    end.isGroupGone = await child.end(0);
  }
  return end.isGroupGone && (await use.proveClean(secondMs)) === null;
}
