import { workerData } from 'node:worker_threads';

/** An orphan is noticed within this time. */
const lookMs = 500;

const { parent } = workerData as { parent: number };

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, lookMs);
