import type { ReportAnswer, ReportItem } from '@gjm/core/wire/worker-api.js';
import { itemBytes, type NewReportItem } from './report-item.js';
import { SpillFile } from './spill-file.js';

/** Unacknowledged items kept in memory, in bytes; what is beyond waits in a file. */
const memoryBytes = 4 * 1024 * 1024;
/** Bound of that file. */
export const spillBytes = 256 * 1024 * 1024;
/** One report carries at most so much. JSON may need six times the bytes of control characters, so this is well below the server's limit. */
const reportBytes = 256 * 1024;
const reportItems = 1_000;

export interface ReportSenderOptions {
  /** Sends one report and repeats until it is answered. Rejects when the attempt is over for other reasons. */
  send: (items: ReportItem[]) => Promise<ReportAnswer>;
  /** Where reports wait when the server is away. */
  spillPath: string;
  maxSpillBytes?: number;
  /** The server no longer takes reports of this attempt. */
  onStale: () => void;
  /** True: stop producing, the bound is reached. False: go on. */
  onPressure: (isFull: boolean) => void;
}

/**
 * Numbers an attempt's report items from 1 and delivers them in order, one report at a time. An item leaves only when its number is
 * acknowledged, so a repeated report changes nothing. When neither memory nor file can take more, metrics are dropped and counted in
 * `dropped` (their producer can not be stopped); log output never is: its pipes are held back instead.
 */
export class ReportSender {
  readonly #options: ReportSenderOptions;
  readonly #spill: SpillFile;
  #queue: ReportItem[] = [];
  #queueBytes = 0;
  #nextNumber = 1;
  #sending: Promise<void> | null = null;
  #isStale = false;
  #isFull = false;
  #isEnding = false;
  dropped = 0;

  constructor(options: ReportSenderOptions) {
    this.#options = options;
    this.#spill = new SpillFile(options.spillPath, options.maxSpillBytes ?? spillBytes);
  }

  add(items: NewReportItem[]): void {
    if (this.#isStale) return;
    for (const item of items) this.#keep(item);
    if (!this.#isEnding) this.#sending ??= this.#sendAll();
  }

  /**
   * Takes the last items, sends until what is left fits into one finish request, and returns that rest. Nothing may be added any more. The
   * last items of a small attempt are not sent on their own at all.
   */
  async rest(last: NewReportItem[]): Promise<ReportItem[]> {
    this.#isEnding = true;
    this.add(last);
    await this.#sending;
    if (!this.#fitsOneReport()) await this.#sendAll();
    return this.#isStale ? [] : [...this.#queue];
  }

  /** Ends sending and removes the file. */
  close(): void {
    this.#isStale = true;
    this.#queue = [];
    this.#spill.close();
  }

  #keep(item: NewReportItem): void {
    if (this.#isFull && item.type === 'metric') {
      this.dropped += 1;
      return;
    }
    const numbered = { ...item, number: this.#nextNumber };
    const bytes = itemBytes(item);
    if (this.#spill.isEmpty && this.#queueBytes + bytes <= memoryBytes) this.#enqueue(numbered, bytes);
    else if (!this.#store(numbered)) this.#enqueue(numbered, bytes); // the disk is full: memory, and no more input
    this.#nextNumber += 1;
    if (this.#spill.isFull) this.#press(true);
  }

  #store(item: ReportItem): boolean {
    try {
      this.#spill.add(JSON.stringify(item));
      return true;
    } catch {
      this.#press(true);
      // Order is by number: while older items wait in the file, a newer one must not overtake them in memory.
      if (this.#spill.isEmpty) return false;
      this.dropped += 1;
      this.#nextNumber -= 1;
      return true;
    }
  }

  #enqueue(item: ReportItem, bytes: number): void {
    this.#queue.push(item);
    this.#queueBytes += bytes;
  }

  /** Sends until nothing is left, or, once the attempt is ending, until the rest fits into its finish. */
  async #sendAll(): Promise<void> {
    await Promise.resolve(); // so that `#sending` is set before it is cleared
    try {
      while (!this.#isStale && this.#queue.length > 0) {
        if (this.#isEnding && this.#fitsOneReport()) return;
        await this.#sendOne();
      }
    } finally {
      this.#sending = null;
    }
  }

  async #sendOne(): Promise<void> {
    const items = this.#head();
    const answer = await this.#options.send(items).catch(() => null);
    if (!answer?.accepted) {
      this.close();
      if (answer) this.#options.onStale();
      return;
    }
    this.#drop(Math.max(answer.acknowledged, 0));
    this.#refill();
  }

  #head(): ReportItem[] {
    const items: ReportItem[] = [];
    let bytes = 0;
    for (const item of this.#queue) {
      bytes += itemBytes(item);
      if (items.length > 0 && (bytes > reportBytes || items.length >= reportItems)) break;
      items.push(item);
    }
    return items;
  }

  #drop(acknowledged: number): void {
    const kept = this.#queue.findIndex((item) => item.number > acknowledged);
    const gone = this.#queue.splice(0, kept < 0 ? this.#queue.length : kept);
    for (const item of gone) this.#queueBytes -= itemBytes(item);
  }

  #refill(): void {
    while (!this.#spill.isEmpty && this.#queueBytes < memoryBytes / 2) {
      const line = this.#spill.take();
      if (line === null) break;
      const item = JSON.parse(line) as ReportItem;
      this.#enqueue(item, itemBytes(item));
    }
    if (this.#isFull && this.#spill.isEmpty) this.#press(false);
  }

  #press(isFull: boolean): void {
    if (this.#isFull === isFull) return;
    this.#isFull = isFull;
    this.#options.onPressure(isFull);
  }

  #fitsOneReport(): boolean {
    return this.#spill.isEmpty && this.#queue.length <= reportItems && this.#queueBytes <= reportBytes;
  }
}
