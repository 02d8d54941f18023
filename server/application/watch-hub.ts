import { isTerminalEvent, type StoredEvent } from '@gjm/core/wire/events.js';
import { notFound } from '@gjm/core/errors.js';
import type { Database } from '../persistence/database.js';
import { readEvents, readHead } from '../persistence/transitions/read-events.js';
import type { Logger, PubSub } from './ports.js';
import { Signal } from './signal.js';

/** Events a hub keeps for all watchers of its job. Who falls further behind reads pages until back. */
const ringSize = 1_000;
/** Events read at once, in the hub and in a page. */
const pageSize = 500;
/** A hub looks by itself this often, in ms: wake-ups may be lost. */
const lookMs = { up: 2_000, down: 500 };
/** How long a new hub waits for Redis to acknowledge its subscription before it goes on without, in ms. */
const subscribeWithinMs = 1_000;

interface HubDependencies {
  database: Database;
  pubsub: PubSub;
  logger: Logger;
}

/**
 * One per watched job and replica: one Redis subscription, one reader, one ring of events for all its watchers. It subscribes before it
 * reads, so nothing falls between the two. Closed when its last watcher leaves.
 */
export class JobHub {
  /** Fires when there are new events, when the job is gone, and when the hub closes. */
  readonly changed = new Signal();
  isGone = false;
  #ring: StoredEvent[] = [];
  /** The number below which nothing is in the ring: watchers up to here read pages. */
  #base = 0;
  #last = 0;
  #isEnded = false;
  #isReading = false;
  #isWoken = false;
  #isClosed = false;
  #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly jobId: string,
    private readonly dependencies: HubDependencies,
  ) {}

  /** Subscribes, waits for the acknowledgement (a bounded time), then notes where the sequence stands. */
  async open(): Promise<void> {
    const { pubsub, database } = this.dependencies;
    const subscribed = pubsub
      .subscribe('job', this.jobId, () => this.#wake())
      .then((unsubscribe) => {
        if (this.#isClosed) unsubscribe();
        else this.#unsubscribe = unsubscribe;
      });
    subscribed.catch(() => undefined); // told by isUp; the hub looks by itself meanwhile
    await Promise.race([subscribed, new Promise((resolve) => setTimeout(resolve, subscribeWithinMs))]).catch(
      () => undefined,
    );
    const head = await readHead(database, this.jobId);
    this.isGone = head === null;
    this.#base = this.#last = head?.lastSequence ?? 0;
    this.#lookLater();
  }

  /** The last number that is known to be stored. */
  get last(): number {
    return this.#last;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.changed.fire();
  }

  /** Events after `cursor` from the ring, or null when they have left it (or came before it) and must be read as a page. */
  fromRing(cursor: number): StoredEvent[] | null {
    const first = this.#ring[0]?.sequence ?? this.#last + 1;
    if (cursor < Math.max(this.#base, first - 1)) return null;
    const start = this.#ring.findIndex((event) => event.sequence > cursor);
    return start < 0 ? [] : this.#ring.slice(start, start + pageSize);
  }

  /** A page straight from Postgres. */
  readPage(cursor: number): Promise<StoredEvent[]> {
    return readEvents(this.dependencies.database, this.jobId, cursor, pageSize);
  }

  #wake(): void {
    this.#isWoken = true;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    clearTimeout(this.#timer);
    try {
      do {
        this.#isWoken = false;
        await this.#readOnce();
      } while (this.#isWoken && !this.#isClosed);
    } catch (error) {
      this.dependencies.logger.warn(
        { err: error, jobId: this.jobId },
        'a watched job could not be read; the hub looks again',
      );
    } finally {
      this.#isReading = false;
      this.#lookLater();
    }
  }

  async #readOnce(): Promise<void> {
    const events = await readEvents(this.dependencies.database, this.jobId, this.#last, pageSize);
    if (events.length === 0) {
      if ((await readHead(this.dependencies.database, this.jobId)) !== null) return;
      this.isGone = true;
      this.changed.fire();
      return;
    }
    this.#ring.push(...events);
    this.#ring.splice(0, Math.max(0, this.#ring.length - ringSize));
    this.#last = events.at(-1)!.sequence;
    this.#isEnded = events.some(isTerminalEvent);
    this.#isWoken ||= events.length === pageSize;
    this.changed.fire();
  }

  #lookLater(): void {
    if (this.#isClosed || this.#isEnded || this.isGone) return;
    const wait = this.dependencies.pubsub.isUp ? lookMs.up : lookMs.down;
    this.#timer = setTimeout(() => this.#wake(), wait);
  }
}

/** Hubs by job, shared while anybody watches. */
export class JobHubs {
  readonly #hubs = new Map<string, { hub: JobHub; opened: Promise<void>; watchers: number }>();
  /** Watchers whose last read was a page. */
  readonly #behind = new Set<AbortSignal>();
  /** Pages read for single watchers since the start. */
  pagesRead = 0;

  constructor(private readonly dependencies: HubDependencies) {}

  /** Watched jobs, their watchers, and those of them that read pages: they replay, or fell out of the ring. */
  get use(): { hubs: number; watchers: number; behind: number } {
    let watchers = 0;
    for (const entry of this.#hubs.values()) watchers += entry.watchers;
    return { hubs: this.#hubs.size, watchers, behind: this.#behind.size };
  }

  /**
   * Every event of a job after number `after`, in order, each once, then live ones, up to the terminal event. Ends early when `isOver`
   * says so at a wake-up. Throws NOT_FOUND when the job is deleted before its terminal event was given.
   */
  async *watch(jobId: string, after: number, abort: AbortSignal): AsyncGenerator<StoredEvent, void, void> {
    const entry = this.#enter(jobId);
    try {
      await entry.opened;
      let cursor = after;
      while (!abort.aborted) {
        const { version } = entry.hub.changed;
        const live = entry.hub.fromRing(cursor);
        if (live) this.#behind.delete(abort);
        const events = live ?? (await this.#readPage(entry.hub, cursor, abort));
        for (const event of events) {
          yield event;
          cursor = event.sequence;
          if (isTerminalEvent(event)) return;
        }
        if (events.length > 0) continue;
        // A page that should have events and has none: they went with the job, unseen by a hub that had read to the end.
        if (entry.hub.isGone || (!live && cursor < entry.hub.last)) throw notFound('The job was deleted.');
        await entry.hub.changed.changedSince(version, abort);
      }
    } finally {
      this.#behind.delete(abort);
      this.#leave(jobId, entry);
    }
  }

  #readPage(hub: JobHub, cursor: number, watcher: AbortSignal): Promise<StoredEvent[]> {
    this.#behind.add(watcher);
    this.pagesRead++;
    return hub.readPage(cursor);
  }

  close(): void {
    for (const { hub } of this.#hubs.values()) hub.close();
  }

  #enter(jobId: string) {
    let entry = this.#hubs.get(jobId);
    if (!entry) {
      const hub = new JobHub(jobId, this.dependencies);
      entry = { hub, opened: hub.open(), watchers: 0 };
      this.#hubs.set(jobId, entry);
    }
    entry.watchers++;
    return entry;
  }

  #leave(jobId: string, entry: { hub: JobHub; watchers: number }): void {
    if (--entry.watchers > 0) return;
    entry.hub.close();
    if (this.#hubs.get(jobId)?.hub === entry.hub) this.#hubs.delete(jobId);
  }
}
