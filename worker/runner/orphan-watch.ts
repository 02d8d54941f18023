import { Worker } from 'node:worker_threads';

/**
 * Kills this process when its parent is gone, even in the middle of a computation that never lets the main thread hear that its channel was
 * closed. A device must not stay occupied by a process that nobody owns.
 */
export function watchForOrphanhood(): void {
  const thread = new Worker(new URL('./orphan-thread.js', import.meta.url), {
    workerData: { parent: process.ppid },
    // It only keeps a timer.
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  thread.unref();
}
