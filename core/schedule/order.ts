import type { QueuedJob } from './snapshot.js';

/** Place in line: higher priority first, then older, then by id, so that ties break the same way everywhere. */
export function compareJobs(a: QueuedJob, b: QueuedJob): number {
  return b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
