import {
  dispatchedWaiting,
  explainWaiting,
  pictureOf,
  type Picture,
  type Waiting,
} from '@gjm/core/schedule/waiting.js';
import type { Policy } from '@gjm/core/policy/policy.js';
import type { QueuedJob } from '@gjm/core/schedule/snapshot.js';
import type { Database } from '../persistence/database.js';
import { readSnapshot } from '../persistence/transitions/read-snapshot.js';
import type { JobRecord } from './records.js';

/** How long one picture of fleet and line serves explanations, in ms. */
const pictureMs = 1_000;
/** Most jobs whose reasons are counted at once. */
export const countedJobs = 1_000;

/** Says why jobs wait, by the same constraints that place them, from a picture at most a second old. */
export class WaitingRoom {
  #picture: Promise<Picture> | undefined;
  #takenAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly policy: Policy,
  ) {}

  /** Null unless the job is QUEUED. */
  async explain(job: JobRecord): Promise<Waiting | null> {
    if (job.status !== 'QUEUED') return null;
    if (job.currentAttemptId !== null) return dispatchedWaiting;
    const picture = await this.#current();
    const inLine = picture.line.find(({ id }) => id === job.id);
    return explainWaiting(picture, inLine ?? toQueuedJob(job), this.policy);
  }

  /** How many of the first jobs in line wait for what; a job counts once under each of its reasons. */
  async countReasons(): Promise<Record<string, number>> {
    const picture = await this.#current();
    const counts: Record<string, number> = {};
    for (const job of picture.line.slice(0, countedJobs))
      for (const { code } of explainWaiting(picture, job, this.policy).reasons)
        counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  }

  #current(): Promise<Picture> {
    if (this.#picture && performance.now() - this.#takenAt < pictureMs) return this.#picture;
    this.#takenAt = performance.now();
    const picture = readSnapshot(this.database).then((snapshot) => pictureOf(snapshot, this.policy));
    picture.catch(() => (this.#picture = undefined));
    return (this.#picture = picture);
  }
}

/** As it stands; what was seen of its memory is known of those in the picture only. */
const toQueuedJob = (job: JobRecord): QueuedJob => ({
  id: job.id,
  ownerId: job.ownerId,
  kind: job.kind,
  priority: job.priority,
  createdAt: job.createdAt.getTime(),
  notBefore: job.notBefore?.getTime() ?? null,
  nextAttempt: job.attemptCount + 1,
  engines: job.plan.engines,
  tier: job.plan.tier,
  memoryBytes: job.plan.memoryBytes,
  seenBytes: {},
  devices: job.deviceCount,
  selector: job.deviceSelector,
});
