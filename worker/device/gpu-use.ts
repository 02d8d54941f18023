import type { Usage } from '@gjm/core/wire/worker-api.js';
import { pause } from '../wait.js';
import type { GpuRecord, Level, Ownership } from './gpu-record.js';
import { sumUsage, UsageMeter } from './usage-meter.js';

/** From one look at a GPU that is not clean yet to the next, in ms: drivers need a moment to let memory go. */
const againMs = 250;

export interface GpuUseOptions {
  /** The GPUs among the attempt's devices; none when it has a CPU. */
  records: readonly GpuRecord[];
  owner: Ownership & {
    /** Pids of ready children on this device. */
    readyChildren(uid: string): number[];
  };
  /** Looks at all GPUs now; false when there was no answer. */
  look: () => Promise<boolean>;
  onEnd: () => void;
}

interface Part {
  record: GpuRecord;
  before: Level;
  meter: UsageMeter;
  isEstimate: boolean;
}

/** One attempt's use of its GPUs: what it takes, whether one of them is lost meanwhile, and whether they are clean afterwards. */
export class GpuUse {
  readonly #options: GpuUseOptions;
  readonly #parts: Part[];
  #isMetering = true;
  #isOver = false;
  /** The last look for what it left had an answer. */
  #isSeen = false;
  #tellLoss: ((reason: string) => void) | null = null;

  constructor(options: GpuUseOptions) {
    this.#options = options;
    const now = performance.now();
    this.#parts = options.records.map((record) => ({
      record,
      before: record.begin(),
      meter: new UsageMeter(now, record.telemetry),
      isEstimate: record.device.slots > 1 || record.isForeignUsed,
    }));
  }

  /** Why one of its GPUs is lost now, or null. */
  get loss(): string | null {
    const lost = this.#parts.find(({ record }) => record.lost !== null)?.record;
    return lost ? `The device ${lost.device.name} was lost. ${lost.lost}` : null;
  }

  /** Calls once, as soon as one of its GPUs is lost. */
  onLoss(tell: (reason: string) => void): void {
    this.#tellLoss = tell;
    this.#noticeLoss();
  }

  /** The probe has something new. */
  see(): void {
    this.#noticeLoss();
    if (!this.#isMetering) return;
    for (const part of this.#parts) {
      part.isEstimate ||= part.record.isForeignUsed;
      const { telemetry } = part.record;
      if (telemetry) part.meter.add(performance.now(), telemetry);
    }
  }

  /**
   * Looks, now that its processes should be gone, until its GPUs are clean, at most `limitMs`. What is still there, as a sentence, or null.
   * Without a GPU there is nothing to look at.
   */
  async proveClean(limitMs: number): Promise<string | null> {
    if (this.#parts.length === 0) return null;
    const endsAt = performance.now() + limitMs;
    for (;;) {
      const isAnswered = await this.#options.look();
      this.#isMetering = false;
      this.#isSeen = isAnswered;
      const dirt = isAnswered ? this.#dirt() : 'The device could not be checked after the attempt.';
      if (dirt === null || this.loss !== null || performance.now() >= endsAt) return dirt;
      await pause(againMs);
    }
  }

  /** Ends what is left of ours on its GPUs, outside of any group. */
  endLeftovers(): void {
    for (const { record } of this.#parts)
      for (const pid of record.leftovers(this.#options.owner)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // Gone in this moment, or another user's: the next look tells.
        }
      }
  }

  /** Null when it had no GPU. */
  usage(): Usage | null {
    return sumUsage(this.#parts.map(({ meter, isEstimate }) => meter.total(isEstimate)));
  }

  /** The attempt is over. GPUs that are not clean stay closed until they are. */
  end(isClean: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { owner } = this.#options;
    for (const { record, before } of this.#parts) {
      record.end();
      if (!isClean) record.hold(before, owner, owner.readyChildren(record.device.uid), this.#isSeen);
    }
    this.#options.onEnd();
  }

  #dirt(): string | null {
    for (const { record, before } of this.#parts) {
      const dirt = record.dirt(before, this.#options.owner);
      if (dirt !== null) return dirt;
    }
    return null;
  }

  #noticeLoss(): void {
    const { loss } = this;
    if (loss === null || !this.#tellLoss) return;
    const tell = this.#tellLoss;
    this.#tellLoss = null;
    tell(loss);
  }
}
