import { unavailable } from '@gjm/core/errors.js';
import type { JobStatus } from '@gjm/core/job/status.js';
import type { JobWakeUp } from '@gjm/core/wire/events.js';
import { matchesJobFilter, type JobFilter } from '../persistence/job-filter.js';
import type { JobRepository } from '../persistence/job.repository.js';
import type { Logger, PubSub } from './ports.js';
import type { JobRecord } from './records.js';
import { Signal } from './signal.js';

/** One change of a list: a job as it is now, or the id of one that is gone. */
export type JobListChange = { job: JobRecord } | { deletedId: string };

/** Changes reach a list at most this often, in ms: newest state wins. */
const spacingMs = 100;
/** Jobs with unsent changes that one watcher may owe before it is ended: it is not reading. */
const maxPending = 10_000;

interface Pending {
  ownerId: string;
  /** Every status it had since it was last looked at: a job that left a filter is reported to it. */
  statuses: Set<JobStatus>;
  deleted: boolean;
}

interface Watcher {
  filter: JobFilter;
  pending: Map<string, JobListChange>;
  signal: Signal;
}

/** Live lists: one subscription and one read per replica and tenth of a second, however many watch. */
export class JobListHub {
  readonly #watchers = new Set<Watcher>();
  #dirty = new Map<string, Pending>();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  constructor(
    private readonly jobs: JobRepository,
    private readonly pubsub: PubSub,
    private readonly logger: Logger,
  ) {}

  /** Listens from now on, for the life of the server. */
  start(): void {
    this.pubsub
      .subscribe('jobs', '', (wakeUp) => this.#note(wakeUp))
      .then((unsubscribe) => (this.#isClosed ? unsubscribe() : (this.#unsubscribe = unsubscribe)))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'live lists have no wake-ups'));
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    for (const watcher of this.#watchers) watcher.signal.fire();
  }

  /** Changes of jobs that match the filter or just left it. No numbers: after a (re)connect the page is read again. */
  async *watch(filter: JobFilter, abort: AbortSignal): AsyncGenerator<JobListChange, void, void> {
    const watcher: Watcher = { filter, pending: new Map(), signal: new Signal() };
    this.#watchers.add(watcher);
    try {
      while (!abort.aborted && !this.#isClosed) {
        const { version } = watcher.signal;
        if (watcher.pending.size > maxPending) throw unavailable('You did not read: read the page again.');
        // By id, not by entry: what is newer by the time it is taken replaces what was noted.
        for (const id of [...watcher.pending.keys()]) {
          const change = watcher.pending.get(id);
          watcher.pending.delete(id);
          if (change) yield change;
        }
        if (watcher.pending.size === 0) await watcher.signal.changedSince(version, abort);
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  #note(wakeUp: JobWakeUp): void {
    if (this.#watchers.size === 0) return;
    const known = this.#dirty.get(wakeUp.jobId);
    const entry = known ?? { ownerId: wakeUp.ownerId, statuses: new Set<JobStatus>(), deleted: false };
    entry.statuses.add(wakeUp.from).add(wakeUp.to);
    entry.deleted ||= wakeUp.deleted ?? false;
    this.#dirty.set(wakeUp.jobId, entry);
    this.#timer ??= setTimeout(() => void this.#flush(), spacingMs);
  }

  async #flush(): Promise<void> {
    const dirty = this.#dirty;
    this.#dirty = new Map();
    this.#timer = undefined;
    try {
      const records = await this.jobs.byIds([...dirty.keys()]);
      const byId = new Map(records.map((job) => [job.id, job]));
      for (const [id, entry] of dirty) this.#offer(id, entry, byId.get(id));
    } catch (error) {
      this.logger.warn({ err: error }, 'changes of a live list were not read; they are read again');
      this.#keep(dirty);
    }
  }

  /** What could not be read stays noted, together with what came meanwhile. */
  #keep(dirty: Map<string, Pending>): void {
    for (const [id, entry] of dirty) {
      const newer = this.#dirty.get(id);
      if (newer) for (const status of entry.statuses) newer.statuses.add(status);
      else if (this.#dirty.size < maxPending) this.#dirty.set(id, entry);
    }
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#flush(), 10 * spacingMs);
  }

  #offer(id: string, entry: Pending, job: JobRecord | undefined): void {
    for (const watcher of this.#watchers) {
      const { ownerScope } = watcher.filter;
      const change = this.#changeFor(watcher, id, entry, job);
      if (!change || (ownerScope !== null && ownerScope !== entry.ownerId)) continue;
      watcher.pending.set(id, change);
      watcher.signal.fire();
    }
  }

  #changeFor(watcher: Watcher, id: string, entry: Pending, job: JobRecord | undefined): JobListChange | null {
    if (!job) return entry.deleted ? { deletedId: id } : null;
    const statuses = new Set(entry.statuses).add(job.status);
    return matchesJobFilter(watcher.filter, job, statuses) ? { job } : null;
  }
}
