import { sizeOf } from '@gjm/core/text/sizes.js';
import type { DeviceReport, Telemetry } from '@gjm/core/wire/worker-api.js';
import type { FoundDevice } from './probe.js';
import type { GpuProcess, GpuRow } from './smi-rows.js';

/** Memory that counts as nothing: drivers round, and contexts differ a little from start to start. */
const marginBytes = 256 * 1024 * 1024;
/** A GPU that is missing in so many answers in a row is gone; one answer may have been cut short. */
const missesToGone = 2;

/** Whose a process is. */
export interface Ownership {
  /** It belongs to this worker: to one of its living children, or left over by one. */
  isOurs(pid: number): boolean;
  /** It belongs to a child that lives. */
  isChild(pid: number): boolean;
}

/** What was in use when an attempt began. */
export interface Level {
  usedBytes: number | null;
  unownedBytes: number | null;
}

export type Health = Pick<DeviceReport, 'health' | 'healthReason'>;

/**
 * What is known of one GPU, or of one slice of it, and what follows for its health. It is told what the probe sees and which attempts use it,
 * and asks nobody.
 */
export class GpuRecord {
  readonly device: FoundDevice;
  /** The GPU that it is, or that it is a part of. */
  readonly gpuUid: string;
  readonly #foreignBytes: number;
  #row: GpuRow | null = null;
  #misses = 0;
  #isOffered = true;
  #lost: string | null = null;
  /** No child has passed its self-test here since it came, or came back. */
  #isUnproven = true;
  #processes: GpuProcess[] = [];
  /** Strangers that were there before this worker. */
  readonly #early = new Set<number>();
  /** Processes of ours that were ever seen on it. */
  readonly #own = new Set<number>();
  /** Whether processes can be seen at all: true once one of ours was, false when a ready child of ours was not. Containers hide them. */
  #seesProcesses: boolean | null = null;
  /** In use at rest, with a fresh child of ours. */
  #restBytes: number | null = null;
  #dirt: string | null = null;
  #unchecked: Level | null = null;
  /** Children that lived when it was held: a later one that is ready proves that nothing of the attempt lives. */
  #heldChildren: readonly number[] = [];
  #busy: string | null = null;
  #attempts = 0;

  constructor(device: FoundDevice, gpuUid: string, foreignBytes: number) {
    this.device = { ...device, freeBytes: () => this.freeBytes() };
    this.gpuUid = gpuUid;
    this.#foreignBytes = foreignBytes;
  }

  /** A slice shares its GPU's figures with others: none of them is its own. */
  get isSlice(): boolean {
    return this.device.uid !== this.gpuUid;
  }

  get bus(): string | null {
    return this.#row?.bus ?? null;
  }

  get usedBytes(): number | null {
    return this.#row?.memoryUsedBytes ?? null;
  }

  get lost(): string | null {
    return this.#lost;
  }

  get isForeignUsed(): boolean {
    return this.#busy !== null;
  }

  /** Whether the list of processes should be read with each answer: something hangs on it. */
  get needsProcesses(): boolean {
    return this.#unchecked !== null || this.#busy !== null;
  }

  /** The probe saw it. */
  see(row: GpuRow): void {
    this.#row = row;
    this.#misses = 0;
    if (row.isLost) return this.giveUp();
    if (!this.#isOffered)
      return this.#lose('The GPU was divided anew, and this part is not offered any more.');
    this.#isUnproven ||= this.#lost !== null;
    this.#lost = null;
  }

  /** A whole answer did not have it. */
  miss(): void {
    this.#misses += 1;
    if (this.#misses >= missesToGone) this.#lose('It has vanished from this machine.');
  }

  /** The driver says that it can not reach it. */
  giveUp(): void {
    this.#lose('The driver says that it has lost this GPU; it may need a reset.');
  }

  /** Whether the driver offers it as a device of its own: a GPU that is split into slices is none, a slice may be undone. */
  setOffered(isOffered: boolean): void {
    this.#isOffered = isOffered;
  }

  #lose(reason: string): void {
    this.#lost = reason;
  }

  /** A child has passed its self-test on it. */
  prove(): void {
    this.#isUnproven = false;
  }

  /** Strangers that hold it when the worker starts are no news. */
  noteEarly(processes: readonly GpuProcess[]): void {
    for (const { pid, gpuUid } of processes) if (gpuUid === this.gpuUid) this.#early.add(pid);
  }

  /** What a ready child takes while it does nothing. */
  noteRest(): void {
    if (this.#attempts === 0) this.#restBytes ??= this.usedBytes;
  }

  get isRestKnown(): boolean {
    return this.#restBytes !== null;
  }

  begin(): Level {
    this.#attempts += 1;
    return { usedBytes: this.usedBytes, unownedBytes: this.#unownedBytes() };
  }

  end(): void {
    this.#attempts -= 1;
  }

  /**
   * From now on it counts as dirty, or as unproven, until `judge` finds it clean. `children`: the ready ones on it now. `isSeen`: the last
   * answer is from after the attempt; what an older one said of its processes is no dirt.
   */
  hold(before: Level, owner: Ownership, children: readonly number[], isSeen: boolean): void {
    this.#unchecked = before;
    this.#heldChildren = children;
    this.#dirt = isSeen ? this.dirt(before, owner) : null;
  }

  /** Takes the newest list of processes and decides anew. `readyChildren` are ready children on it. */
  judge(processes: readonly GpuProcess[], owner: Ownership, readyChildren: readonly number[]): void {
    this.#processes = processes.filter(({ gpuUid }) => gpuUid === this.gpuUid);
    const pids = this.#processes.map(({ pid }) => pid);
    // A number that is not listed any more may come back as another process.
    for (const known of [this.#own, this.#early])
      for (const pid of known) if (!pids.includes(pid)) known.delete(pid);
    for (const pid of pids) if (owner.isOurs(pid)) this.#own.add(pid);
    if (pids.some((pid) => this.#own.has(pid))) this.#seesProcesses = true;
    else if (readyChildren.length > 0) this.#seesProcesses ??= false;
    this.#judgeDirt(owner, readyChildren);
    this.#busy = this.#foreignUse(owner);
  }

  #judgeDirt(owner: Ownership, readyChildren: readonly number[]): void {
    if (!this.#unchecked) return;
    this.#dirt = this.dirt(this.#unchecked, owner);
    // A child that passed its self-test since then came after all of the attempt was gone: memory that is still in use is a stranger's.
    const isAfter = readyChildren.some((pid) => !this.#heldChildren.includes(pid));
    const isNone = this.#dirt === null || (isAfter && this.#leftover(owner) === undefined);
    if (isNone) [this.#dirt, this.#unchecked] = [null, null];
  }

  /** What is still there of an attempt that is over, or null. Counts only what the last answers said. */
  dirt(before: Level, owner: Ownership): string | null {
    const left = this.#leftover(owner);
    if (left) return `Process ${left.pid} of an ended attempt still holds it.`;
    if (this.isSlice) return null;
    const [used, unowned] = [this.usedBytes, this.#unownedBytes()];
    const now = this.#seesProcesses ? unowned : used;
    const then = this.#seesProcesses ? before.unownedBytes : before.usedBytes;
    if (now === null || then === null) return null;
    const more = now - Math.max(then, this.#seesProcesses ? 0 : (this.#restBytes ?? 0));
    return more > marginBytes ? `${sizeOf(more)} of its memory are still in use after an attempt.` : null;
  }

  #leftover(owner: Ownership): GpuProcess | undefined {
    return this.#processes.find(({ pid }) => this.#own.has(pid) && !owner.isChild(pid));
  }

  /** Pids of ended attempts that still hold it. */
  leftovers(owner: Ownership): number[] {
    return this.#processes
      .map(({ pid }) => pid)
      .filter((pid) => this.#own.has(pid) && owner.isOurs(pid) && !owner.isChild(pid));
  }

  /** `silence`: why the probe has no answer, when that has lasted. */
  health(silence: string | null): Health {
    if (this.#lost !== null) return { health: 'LOST', healthReason: this.#lost };
    if (this.#dirt !== null) return { health: 'DIRTY', healthReason: this.#dirt };
    if (silence !== null) return { health: 'UNKNOWN', healthReason: `It can not be asked: ${silence}.` };
    if (this.#isUnproven) return { health: 'UNKNOWN', healthReason: 'Its self-test is not through yet.' };
    if (this.#unchecked)
      return { health: 'UNKNOWN', healthReason: 'It could not be checked after its last attempt yet.' };
    if (this.#busy !== null) return { health: 'BUSY_ELSEWHERE', healthReason: this.#busy };
    return { health: 'OK', healthReason: this.#blindness() };
  }

  get telemetry(): Telemetry | null {
    if (!this.#row || this.#lost !== null) return null;
    const { utilisation, memoryUsedBytes, temperatureCelsius, powerWatts } = this.#row;
    if (this.isSlice)
      return { utilisation: null, memoryUsedBytes: null, temperatureCelsius, powerWatts: null };
    return { utilisation, memoryUsedBytes, temperatureCelsius, powerWatts };
  }

  /** What a next job may take: what our own idle child keeps to itself counts as free, for it or its successor takes the job. */
  freeBytes(): number | null {
    const total = this.device.memoryBytes;
    const used = this.usedBytes;
    if (this.isSlice || total === null || used === null) return null;
    const own = this.#attempts > 0 ? 0 : this.#ownBytes(used);
    return Math.max(0, total - used + own);
  }

  #ownBytes(used: number): number {
    if (this.#seesProcesses) {
      const own = this.#processes.filter(({ pid }) => this.#own.has(pid));
      return own.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
    }
    return this.#busy === null && this.#restBytes !== null ? Math.max(0, used - this.#restBytes) : 0;
  }

  /** In use, and no process that is listed has it. Null when that can not be told. */
  #unownedBytes(): number | null {
    const used = this.usedBytes;
    if (used === null || this.#processes.some(({ memoryBytes }) => memoryBytes === null)) return null;
    return used - this.#processes.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
  }

  #foreignUse(owner: Ownership): string | null {
    if (this.isSlice) return null;
    if (this.#seesProcesses) return this.#foreignProcesses(owner);
    // While one of ours computes, nobody can tell whose memory it is.
    const used = this.usedBytes;
    if (this.#attempts > 0 || this.#unchecked || used === null || this.#restBytes === null) return this.#busy;
    const more = used - this.#restBytes;
    return more > this.#foreignBytes ? `Others use it: ${sizeOf(more)} more are in use than at rest.` : null;
  }

  #foreignProcesses(owner: Ownership): string | null {
    const strangers = this.#processes.filter(
      ({ pid }) => !this.#own.has(pid) && !owner.isOurs(pid) && !this.#early.has(pid),
    );
    const bytes = strangers.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
    const isUnknown = strangers.some(({ memoryBytes }) => memoryBytes === null);
    if (bytes <= this.#foreignBytes && !isUnknown) return null;
    const who = `${strangers.length > 1 ? 'processes' : 'process'} ${strangers.map(({ pid }) => pid).join(', ')}`;
    return `Others use it: ${who.slice(0, 200)} with ${isUnknown ? 'memory that is not told' : sizeOf(bytes)}.`;
  }

  #blindness(): string | null {
    if (this.isSlice) return 'A slice: what others do on it can not be seen from here.';
    if (this.#seesProcesses !== false) return null;
    return 'Processes on it can not be seen from here: use by others shows in its memory alone.';
  }
}
