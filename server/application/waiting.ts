import { explainWaiting, type Waiting } from '@gjm/core/schedule/waiting.js';
import type { Snapshot } from '@gjm/core/schedule/snapshot.js';
import type { Database } from '../persistence/database.js';
import { readSnapshot } from '../persistence/transitions/read-snapshot.js';
import type { JobRecord } from './records.js';

/** How long one picture of fleet and line serves explanations, in ms. */
const snapshotMs = 1_000;

/** Says why jobs wait, by the same constraints that place them, from a picture at most a second old. */
export class WaitingRoom {
  #snapshot: Promise<Snapshot> | undefined;
  #takenAt = -Infinity;

  constructor(private readonly database: Database) {}

  /** Null unless the job is QUEUED. */
  async explain(job: JobRecord): Promise<Waiting | null> {
    if (job.status !== 'QUEUED') return null;
    const snapshot = await this.#current();
    const isDispatched = job.currentAttemptId !== null;
    return explainWaiting(snapshot, job.id, isDispatched) ?? explainWaiting(await this.#fresh(), job.id, isDispatched);
  }

  #current(): Promise<Snapshot> {
    if (this.#snapshot && performance.now() - this.#takenAt < snapshotMs) return this.#snapshot;
    return this.#fresh();
  }

  /** A job that is newer than the picture needs a new one. */
  #fresh(): Promise<Snapshot> {
    this.#takenAt = performance.now();
    const snapshot = readSnapshot(this.database);
    snapshot.catch(() => (this.#snapshot = undefined));
    return (this.#snapshot = snapshot);
  }
}
