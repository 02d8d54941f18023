import type { Telemetry } from '@gjm/core/wire/worker-api.js';
import type { Logger } from '../logger.js';
import { pause } from '../wait.js';
import { GpuRecord, type Health } from './gpu-record.js';
import { GpuUse, type GpuUseOptions } from './gpu-use.js';
import { foundGpu, foundSlice } from './found-gpu.js';
import type { NvidiaSmi, SmiAnswer } from './nvidia-smi.js';
import type { FoundDevice } from './probe.js';
import { SmiLoop } from './smi-loop.js';
import {
  columnLists,
  isColumnRefusal,
  readGpuRows,
  readProcesses,
  readSlices,
  saysNone,
  type GpuProcess,
  type GpuRow,
} from './smi-rows.js';

/** Questions without an answer, in a row, after which nothing is known any more. One is no news. */
const missesToUnknown = 2;
/** The driver of a machine that nobody has used yet starts with the first question: its time limit, in ms. */
const firstLimitMs = 15_000;
/** After so many rounds the long-running process is made anew: an old one does not see a card that came later. */
const roundsToRenewal = 30;
/** The list of processes is read anew when memory has moved by so much, and with each renewal. */
const movedBytes = 64 * 1024 * 1024;

/** A line may lie in its pipe for so long, in ms. */
const settledMs = 100;

export interface GpuWatchOptions {
  smi: NvidiaSmi;
  probeMs: number;
  /** Memory of others, in bytes, that is not worth closing a GPU for. */
  foreignBytes: number;
  /** For this project's own tests: what computes instead of a GPU's own engines. */
  diagnosticEngine: string | null;
  owner: GpuUseOptions['owner'];
  /** Devices came or went, or what is said of one is another. */
  onChange: () => void;
  log: Logger;
}

/** Watches the NVIDIA GPUs of this machine and their slices, for as long as the worker lives. Nothing waits on it without a limit. */
export class GpuWatch {
  readonly #options: GpuWatchOptions;
  readonly #limitMs: number;
  readonly #closing = new AbortController();
  readonly #records = new Map<string, GpuRecord>();
  readonly #uses = new Set<GpuUse>();
  #columns = 0;
  #loop: SmiLoop | null = null;
  #round = 0;
  /** The long-running process keeps its lines back: each round is a process of its own. */
  #isPolling = false;
  /** Looks of their own that are under way, and when the last one was through. */
  #looking = 0;
  #lookedAt = -Infinity;
  #misses = 0;
  #silence: string | null = null;
  #processes: GpuProcess[] = [];
  /** What was in use when the processes were last read, by GPU. */
  #listedAt = new Map<string, number>();
  #said = '';
  #running: Promise<void> | null = null;

  constructor(options: GpuWatchOptions) {
    this.#options = options;
    this.#limitMs = Math.min(3_000, Math.max(1_000, 1.5 * options.probeMs));
  }

  /** The first look, before any child of ours computes. What holds a GPU now is no concern later. */
  async first(): Promise<void> {
    const answer = await this.#query(firstLimitMs);
    await this.#take(answer);
    const { problem, isAbsent } = answer;
    if (problem !== null && !isAbsent && !saysNone(answer.lines))
      this.#options.log.warn({ problem }, 'the GPUs of this machine can not be asked');
    await this.#list();
    for (const record of this.#records.values()) record.noteEarly(this.#processes);
    this.#said = this.#signature();
  }

  start(): void {
    this.#running ??= this.#watch();
  }

  /** All that were ever seen in this life, also those that are lost. */
  get devices(): FoundDevice[] {
    return [...this.#records.values()].map(({ device }) => device);
  }

  lossOf(uid: string): string | null {
    return this.#records.get(uid)?.lost ?? null;
  }

  /** Null for a device that is none of these. */
  healthOf(uid: string): (Health & { telemetry: Telemetry | null }) | null {
    const record = this.#records.get(uid);
    return record ? { ...record.health(this.#silence), telemetry: record.telemetry } : null;
  }

  /** A child has passed its self-test on this device: whether it can be seen there tells what the list of processes is worth. */
  childReady(uid: string): void {
    const record = this.#records.get(uid);
    if (!record) return;
    record.prove();
    this.#tell();
    void this.look();
  }

  /** An attempt begins on these devices. Those that are no GPU do not matter. */
  use(uids: readonly string[]): GpuUse {
    const records = uids.flatMap((uid) => this.#records.get(uid) ?? []);
    const use = new GpuUse({
      records,
      owner: this.#options.owner,
      look: () => this.look(),
      onEnd: () => {
        this.#uses.delete(use);
        this.#tell();
      },
    });
    this.#uses.add(use);
    return use;
  }

  /** A look of its own, now. False when there was no answer. Never rejects. */
  async look(): Promise<boolean> {
    if (this.#closing.signal.aborted) return false;
    this.#looking += 1;
    const isAnswered = await this.#take(await this.#query(this.#limitMs), true);
    this.#looking -= 1;
    this.#lookedAt = performance.now();
    this.#tell();
    return isAnswered;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.smi.close();
    await this.#loop?.stop();
    await this.#running;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const answer = await this.#nextAnswer();
      if (signal.aborted) return;
      await this.#take(answer);
      this.#tell();
    }
  }

  async #nextAnswer(): Promise<SmiAnswer> {
    const { probeMs } = this.#options;
    const isRenewal = (this.#round += 1) % roundsToRenewal === 0;
    if (this.#records.size === 0 || this.#isPolling) {
      const rounds = this.#isPolling ? 1 : roundsToRenewal;
      await pause(rounds * probeMs, this.#closing.signal);
      return this.#query(this.#limitMs);
    }
    if (isRenewal) await this.#renew();
    this.#loop ??= new SmiLoop({
      smi: this.#options.smi,
      args: this.#queryArgs(),
      everyMs: probeMs,
      silenceMs: this.#limitMs,
    });
    const loop = this.#loop;
    let answer = await loop.next();
    // What was said before a look of its own is older than what that saw.
    while (answer.problem === null && this.#isOutdated(loop)) answer = await loop.next();
    if (answer.problem === null || this.#closing.signal.aborted) return answer;
    // Ended, refused or silent: a question of its own tells whether that means anything.
    this.#miss(answer.problem);
    await pause(Math.min(probeMs, 1_000) / 2, this.#closing.signal);
    const second = await this.#query(this.#limitMs);
    if (second.problem === null && loop.isMute) this.#isPolling = true;
    return second;
  }

  #isOutdated(loop: SmiLoop): boolean {
    return this.#looking > 0 || loop.roundBeganAt < this.#lookedAt + settledMs;
  }

  async #renew(): Promise<void> {
    await this.#loop?.stop();
    this.#loop = null;
    this.#listedAt.clear();
    await this.#discover([]);
  }

  #queryArgs(): string[] {
    return [`--query-gpu=${columnLists[this.#columns]!.join(',')}`, '--format=csv,noheader,nounits'];
  }

  /** All GPUs by one question; where one of them spoils the answer for all, each by its own. */
  async #query(limitMs: number): Promise<SmiAnswer> {
    const { smi } = this.#options;
    let answer = await smi.ask(this.#queryArgs(), limitMs);
    while (isColumnRefusal(answer.lines) && this.#columns < columnLists.length - 1) {
      this.#columns += 1;
      await this.#loop?.stop();
      this.#loop = null;
      answer = await smi.ask(this.#queryArgs(), limitMs);
    }
    const { lostBuses } = readGpuRows(answer.lines, columnLists[this.#columns]!);
    if (answer.problem === null || lostBuses.length === 0) return answer;
    const lines = [...answer.lines];
    const healthy = [...this.#records.values()].filter(({ bus }) => bus === null || !lostBuses.includes(bus));
    for (const uid of new Set(healthy.map(({ gpuUid }) => gpuUid))) {
      const one = await smi.ask([...this.#queryArgs(), `--id=${uid}`], limitMs);
      if (one.problem === null) lines.push(...one.lines);
    }
    return { ...answer, lines };
  }

  /** Takes an answer in. False when it was none. */
  async #take(answer: SmiAnswer, withProcesses = false): Promise<boolean> {
    const { rows, lostBuses } = readGpuRows(answer.lines, columnLists[this.#columns]!);
    const isWhole = answer.problem === null ? rows.length > 0 : lostBuses.length > 0;
    if (!isWhole && !saysNone(answer.lines)) {
      if (!answer.isAbsent || this.#records.size > 0)
        this.#miss(answer.problem ?? 'nvidia-smi said nothing that can be read');
      return false;
    }
    this.#misses = 0;
    this.#silence = null;
    const seen = new Map(rows.map((row) => [row.uid, row]));
    if (rows.some(({ uid }) => ![...this.#records.values()].some(({ gpuUid }) => gpuUid === uid)))
      await this.#discover(rows);
    for (const record of this.#records.values()) {
      const row = seen.get(record.gpuUid);
      if (row) record.see(row);
      else if (record.bus !== null && lostBuses.includes(record.bus)) record.giveUp();
      else record.miss();
    }
    if (withProcesses || this.#wantsProcesses(rows)) await this.#list();
    this.#judge();
    return true;
  }

  #miss(problem: string): void {
    this.#misses += 1;
    if (this.#misses >= missesToUnknown) this.#silence = problem;
  }

  /** Makes records of what is new. A GPU that was split is offered as its slices. */
  async #discover(rows: readonly GpuRow[]): Promise<void> {
    const { smi, diagnosticEngine, foreignBytes } = this.#options;
    const answer = await smi.ask(['-L'], this.#limitMs);
    const slices = readSlices(answer.lines);
    const add = (device: FoundDevice, gpuUid: string) => {
      if (this.#records.has(device.uid)) return;
      this.#records.set(device.uid, new GpuRecord(device, gpuUid, foreignBytes));
    };
    for (const row of rows) {
      const parts = slices.filter(({ gpuUid }) => gpuUid === row.uid);
      for (const part of parts) add(foundSlice(row, part, diagnosticEngine), row.uid);
      if (parts.length === 0) add(foundGpu(row, diagnosticEngine), row.uid);
    }
    if (answer.problem !== null) return;
    for (const record of this.#records.values()) {
      const parts = slices.filter(({ gpuUid }) => gpuUid === record.gpuUid);
      const isThere = record.isSlice
        ? parts.some(({ uid }) => uid === record.device.uid)
        : parts.length === 0;
      record.setOffered(isThere);
    }
  }

  #wantsProcesses(rows: readonly GpuRow[]): boolean {
    if ([...this.#records.values()].some(({ needsProcesses }) => needsProcesses)) return true;
    return rows.some(({ uid, memoryUsedBytes }) => {
      const before = this.#listedAt.get(uid);
      return memoryUsedBytes !== null && Math.abs(memoryUsedBytes - (before ?? Infinity)) > movedBytes;
    });
  }

  /** Reads who has memory where. Without an answer the last one stands. */
  async #list(): Promise<void> {
    if (this.#records.size === 0) return;
    const args = ['--query-compute-apps=gpu_uuid,pid,used_memory', '--format=csv,noheader,nounits'];
    const answer = await this.#options.smi.ask(args, this.#limitMs);
    if (answer.problem !== null) return;
    this.#processes = readProcesses(answer.lines);
    for (const { gpuUid, usedBytes } of this.#records.values())
      if (usedBytes !== null) this.#listedAt.set(gpuUid, usedBytes);
  }

  #judge(): void {
    const { owner } = this.#options;
    for (const record of this.#records.values()) {
      const ready = owner.readyChildren(record.device.uid);
      if (ready.length > 0 && !record.isRestKnown) record.noteRest();
      record.judge(this.#processes, owner, ready);
    }
    for (const use of this.#uses) use.see();
  }

  #signature(): string {
    return JSON.stringify(
      [...this.#records.values()].map((record) => [record.device.uid, record.health(this.#silence)]),
    );
  }

  #tell(): void {
    const now = this.#signature();
    if (now === this.#said || this.#closing.signal.aborted) return;
    this.#said = now;
    this.#options.onChange();
  }
}
